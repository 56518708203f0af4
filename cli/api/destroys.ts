import type { Operation } from "./operations.ts";

/** Actions, without their area, after which something is gone for good: a server, what is on its drives, access. */
const destroying: ReadonlySet<string> = new Set([
  "baremetal_instance.force",
  "baremetal_instance.reinstall",
  "baremetal_instance.release",
  "cluster.revoke",
  "dpu.accept_identity",
  "host.accept_identity",
  "host.reprovision",
  "host.retire",
]);

/** Whether what the operation takes away cannot be had back: every deletion, and those actions. */
export const destroys = ({ id, method }: Pick<Operation, "id" | "method">): boolean =>
  method === "DELETE" || destroying.has(id.replace(/^\w+\./, ""));
