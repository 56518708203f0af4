import { type Deployed, deployFunction, type Shared } from "./functions.ts";

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
    batchSize: 100,
    maximumBatchingWindowInSeconds: 0,
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
