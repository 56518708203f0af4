import { hostQueue, hubQueue } from "../../placement/queues/tickets.ts";
import type { BaremetalInstance } from "./model.ts";

/** The queues that an operation on an instance may have a ticket of. */
export const queuesOf = ({
  host_type,
  batch,
}: Pick<BaremetalInstance, "host_type" | "batch">): string[] => [
  hubQueue,
  ...new Set([host_type, ...(batch?.host_types ?? [])].map(hostQueue)),
];
