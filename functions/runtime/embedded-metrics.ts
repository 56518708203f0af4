import type { Measured } from "../../core/reconcile/measure.ts";

/** The namespace in CloudWatch. The dimension distinguishes stages. */
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
 * Writes one line to stdout in CloudWatch's embedded metric format, from which CloudWatch makes metrics without a
 * call. The line also has the worst cases, for readers of the log.
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
