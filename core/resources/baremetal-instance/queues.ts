import { hostQueue, hubQueue } from "../../placement/queues/tickets.ts";
import type { BaremetalInstance } from "./model.ts";

/** The queues in which an operation on an instance may hold a ticket. */
export const instanceQueues = ({
  host_type,
  batch,
}: Pick<BaremetalInstance, "host_type" | "batch">): string[] => [
  hubQueue,
  ...new Set([host_type, ...(batch?.host_types ?? [])].map(hostQueue)),
];
