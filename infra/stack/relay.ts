import { relayedPrefixes } from "../../core/kernel/relay/relayed.ts";
import { recordsKept } from "../../core/kernel/store/stream.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { type Deployed, deployFunction, type Shared } from "./functions.ts";

/** The records that the relay is called for; Lambda charges nothing for filtered records. */
const relayed = {
  dynamodb: { Keys: { pk: { S: relayedPrefixes(kinds).map((prefix) => ({ prefix })) } } },
};

/** The only reader of the table's stream. */
export function relay(shared: Shared): Deployed {
  const deployed = deployFunction(shared, "relay", {
    description: "stream of the store: starts executions, publishes events",
    seconds: 120,
  });
  if (!deployed.failures) throw new Error("the relay keeps no failures");
  new aws.lambda.EventSourceMapping("RelayStream", {
    functionName: deployed.arn,
    eventSourceArn: shared.table.streamArn,
    // The sweep finds records from before the relay existed; no later one is missed.
    startingPosition: "TRIM_HORIZON",
    filterCriteria: { filters: [{ pattern: JSON.stringify(relayed) }] },
    batchSize: 100,
    // Collects related writes; nobody notices a delay of a second.
    maximumBatchingWindowInSeconds: 1,
    // Handles several batches of a shard in parallel; changes of one item stay in order.
    parallelizationFactor: 4,
    functionResponseTypes: ["ReportBatchItemFailures"],
    bisectBatchOnFunctionError: true,
    maximumRetryAttempts: 20,
    maximumRecordAgeInSeconds: recordsKept,
    destinationConfig: { onFailure: { destinationArn: deployed.failures.arn } },
  });
  return deployed;
}
