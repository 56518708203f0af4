import { isEnded, type Operation } from "../../core/kernel/saga/operation.ts";
import { dimension, namespace } from "./embedded-metrics.ts";

/** The time of operations from acceptance to end, by saga and outcome. */
export const operationSeconds = "OperationSeconds";
export const operationDimensions = [dimension, "Saga", "Outcome"];

/**
 * Writes one line to stdout in CloudWatch's embedded metric format if this change of its record has ended an
 * operation.
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

/** The number of executions that were aborted or timed out. */
export const executionsCutOff = "ExecutionsCutOff";

/** Writes such a line for an execution that was aborted or timed out; one alarm for all state machines uses it. */
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
