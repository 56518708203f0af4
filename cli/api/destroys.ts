import type { Operation } from "./operations.ts";

/** Operations that are no actions of kinds, after which access is gone for good. */
const destroying: ReadonlySet<string> = new Set(["public.cluster.revoke"]);

/** Whether what the operation takes away cannot be had back: every deletion, and actions that say so. */
export const destroys = ({
  id,
  method,
  destroys: isDestroying = false,
}: Pick<Operation, "id" | "method" | "destroys">): boolean =>
  method === "DELETE" || isDestroying || destroying.has(id);
