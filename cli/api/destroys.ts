import type { ApiOperation } from "./operations.ts";

/** Whether what the operation removes cannot be had back: every deletion, and actions that say so. */
export const destroys = ({
  method,
  destroys: isDestroying = false,
}: Pick<ApiOperation, "method" | "destroys">): boolean => method === "DELETE" || isDestroying;
