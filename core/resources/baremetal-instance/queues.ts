import { hostQueue, hubQueue } from "../../placement/tickets.ts";
import type { BaremetalInstance } from "./model.ts";

/** The queues that an operation on an instance may have a ticket of. */
export const queuesOf = ({ host_type }: Pick<BaremetalInstance, "host_type">): string[] => [
  hubQueue,
  hostQueue(host_type),
];
