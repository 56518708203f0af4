import { relayedPrefixes } from "../../core/kernel/relay/relayed.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { type Deployed, deployFunction, type Shared } from "./functions.ts";

/** The records that the relay is called for; Lambda charges nothing for those it leaves out. */
const relayed = {
  dynamodb: { Keys: { pk: { S: relayedPrefixes(kinds).map((prefix) => ({ prefix })) } } },
};

/** The only reader of the table's stream. */
export function relay(shared: Shared): Deployed {
  const deployed = deployFunction(shared, "relay", {
    description: "stream of the store: starts executions, publishes events",
    seconds: 120,
    megabytes: 512,
  });
  if (!deployed.failures) throw new Error("the relay keeps no failures");
  new aws.lambda.EventSourceMapping("RelayStream", {
    functionName: deployed.arn,
    eventSourceArn: shared.table.streamArn,
    // What was written before it was there is found by the sweep; what came since is not missed.
    startingPosition: "TRIM_HORIZON",
    filterCriteria: { filters: [{ pattern: JSON.stringify(relayed) }] },
    batchSize: 100,
    // Writes that belong together arrive together; nobody notices a second.
    maximumBatchingWindowInSeconds: 1,
    // Several batches of a shard at a time; items stay in order, each by its key.
    parallelizationFactor: 4,
    functionResponseTypes: ["ReportBatchItemFailures"],
    bisectBatchOnFunctionError: true,
    maximumRetryAttempts: 20,
    maximumRecordAgeInSeconds: 6 * 3600,
    destinationConfig: { onFailure: { destinationArn: deployed.failures.arn } },
  });
  return deployed;
}
