import { isEnded, type Operation } from "../../core/kernel/saga/operation.ts";
import { dimension, namespace } from "./embedded-metrics.ts";

/** How long operations take, from their acceptance to their end, by saga and by how they ended. */
export const operationSeconds = "OperationSeconds";
export const operationDimensions = [dimension, "Saga", "Outcome"];

/**
 * Writes one line to stdout in CloudWatch's embedded metric format for an operation that has ended with this change of
 * its record, and none otherwise.
 */
export function operationMetrics(
  stage: string,
  before: Operation | undefined,
  after: Operation,
  write: (line: string) => unknown = (line) => process.stdout.write(line),
): void {
  const { status, spec, metadata, id } = after;
  if (!isEnded(after) || (before && isEnded(before)) || status.end_time === undefined) return;
  const end = Date.parse(status.end_time);
  const Metrics = [{ Name: operationSeconds, Unit: "Seconds" }];
  const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [operationDimensions], Metrics }];
  const line = {
    _aws: { Timestamp: end, CloudWatchMetrics },
    [dimension]: stage,
    Saga: spec.saga,
    Outcome: status.state,
    [operationSeconds]: (end - Date.parse(metadata.creation_timestamp)) / 1000,
    operation: id,
    target: spec.target.id,
  };
  write(`${JSON.stringify(line)}\n`);
}

/** How many executions were aborted or timed out. */
export const executionsCutOff = "ExecutionsCutOff";

/** Writes such a line for an execution that was cut off, which one alarm for all state machines is made of. */
export function cutOffMetrics(
  stage: string,
  now: number,
  about: { operation: string; status: string },
  write: (line: string) => unknown = (line) => process.stdout.write(line),
): void {
  const Metrics = [{ Name: executionsCutOff, Unit: "Count" }];
  const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [[dimension]], Metrics }];
  const _aws = { Timestamp: now, CloudWatchMetrics };
  write(`${JSON.stringify({ _aws, [dimension]: stage, [executionsCutOff]: 1, ...about })}\n`);
}
