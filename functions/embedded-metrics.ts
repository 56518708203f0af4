import type { Measured } from "../core/metrics/measure.ts";

/** The namespace in CloudWatch, and the dimension that tells stages apart. */
export const namespace = "Slipway";
export const dimension = "Stage";

const units: Record<keyof Measured["values"], "Count" | "Seconds" | "Percent"> = {
  OperationsRunning: "Count",
  OperationsStalled: "Count",
  OperationsStuck: "Count",
  TokenAge: "Seconds",
  HeartbeatAge: "Seconds",
  HubsUnreached: "Count",
  PoolUse: "Percent",
};

/**
 * One line on stdout in CloudWatch's embedded metric format: its metrics are made of the log, without
 * a call. What is worst stands beside them, for who reads the log.
 */
export function embeddedMetrics(
  stage: string,
  now: number,
  { values, worst }: Measured,
  write: (line: string) => unknown = (line) => process.stdout.write(line),
): void {
  const Metrics = Object.entries(units).map(([Name, Unit]) => ({ Name, Unit }));
  const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [[dimension]], Metrics }];
  const line = {
    _aws: { Timestamp: now, CloudWatchMetrics },
    [dimension]: stage,
    ...values,
    worst,
  };
  write(`${JSON.stringify(line)}\n`);
}
