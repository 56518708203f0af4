import type { Counts } from "./meter.ts";
import { durations, memory, prices } from "./prices.ts";

/** Dollars of a change, by what they are for. */
export interface Dollars {
  "Step Functions": number;
  "DynamoDB writes": number;
  "DynamoDB reads": number;
  Lambda: number;
  EventBridge: number;
  "HTTP API": number;
}

export function dollarsOf(counts: Counts): Dollars {
  const runs = counts.requests + counts.steps + counts.looks + counts.relayBatches + counts.reports;
  const milliseconds =
    runs * durations.invocation +
    counts.storeCalls * durations.store +
    counts.awsCalls * durations.aws +
    counts.outsideCalls * durations.outside;
  return {
    "Step Functions": counts.transitions * prices.stateTransition,
    "DynamoDB writes": (counts.tableWriteUnits + counts.indexWriteUnits) * prices.writeUnit,
    "DynamoDB reads": counts.readUnits * prices.readUnit,
    Lambda: runs * prices.invocation + (milliseconds / 1000) * memory * prices.gigabyteSecond,
    EventBridge: (counts.events + counts.reports) * prices.event,
    "HTTP API": counts.requests * prices.request,
  };
}

export const total = (dollars: Dollars): number =>
  Object.values(dollars).reduce((sum, each) => sum + each, 0);
