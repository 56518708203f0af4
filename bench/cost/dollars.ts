import type { Counts } from "./meter.ts";
import { accessLine, prices, sampled } from "./prices.ts";

/** The cost of a change in dollars, by service. */
export interface Dollars {
  "Step Functions": number;
  "DynamoDB writes": number;
  "DynamoDB reads": number;
  Lambda: number;
  EventBridge: number;
  SQS: number;
  "HTTP API": number;
  "CloudWatch Logs": number;
  "X-Ray": number;
}

export function dollarsOf(counts: Counts): Dollars {
  const { requests, steps, looks, messages, relayBatches, reports } = counts;
  const runs = requests + steps + looks + messages + relayBatches + reports;
  // Each of these starts a trace, which includes the execution's steps and the rechecks that it causes.
  const traces = requests + messages + relayBatches + reports;
  return {
    "Step Functions": counts.transitions * prices.stateTransition,
    "DynamoDB writes": (counts.tableWriteUnits + counts.indexWriteUnits) * prices.writeUnit,
    "DynamoDB reads": counts.readUnits * prices.readUnit,
    Lambda: runs * prices.invocation + (counts.gigabyteMilliseconds / 1000) * prices.gigabyteSecond,
    EventBridge: (counts.events + reports) * prices.event,
    // Few messages arrive together, so each is received and deleted in requests of its own.
    SQS: messages * 3 * prices.queueRequest,
    "HTTP API": requests * prices.request,
    "CloudWatch Logs": requests * accessLine * prices.logByte,
    "X-Ray": traces * sampled * prices.trace,
  };
}

export const total = (dollars: Dollars): number =>
  Object.values(dollars).reduce((sum, each) => sum + each, 0);
