import type { ApiOperation } from "./operations.ts";

/** Whether the operation's effect cannot be undone: every deletion, and actions that declare it. */
export const destroys = ({
  method,
  destroys: isDestroying = false,
}: Pick<ApiOperation, "method" | "destroys">): boolean => method === "DELETE" || isDestroying;
