import type { Operation } from "./operations.ts";

/** Whether what the operation removes cannot be had back: every deletion, and actions that say so. */
export const destroys = ({
  method,
  destroys: isDestroying = false,
}: Pick<Operation, "method" | "destroys">): boolean => method === "DELETE" || isDestroying;
