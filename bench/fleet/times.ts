import type { Operation } from "../../core/kernel/saga/operation.ts";

/** The duration of a create, in milliseconds. */
export interface Times {
  whole: number;
  steps: Record<string, number>;
  /** The part of the step that attaches hosts until their last agent had an address. */
  attaching: number;
}

/** The step whose time outside differs between orders (`addresses.ts`). */
const attach = "AttachHosts";

/** `addressed` returns when the hosts had all their addresses, up to a given time. */
export function timesOf(
  { metadata, status, steps }: Operation,
  addressed: (until: number) => number | undefined,
): Times {
  const took = Object.entries(steps).map(([name, { start_time, end_time }]) => [
    name,
    between(start_time, end_time),
  ]);
  const { start_time = "", end_time = "" } = steps[attach] ?? {};
  const [began, ended] = [Date.parse(start_time), Date.parse(end_time)];
  return {
    whole: between(metadata.creation_timestamp, status.end_time),
    steps: Object.fromEntries(took),
    attaching: Math.max(0, (addressed(ended) ?? ended) - began),
  };
}

const between = (begin = "", end = ""): number => Date.parse(end) - Date.parse(begin);

/** In seconds. */
export interface Spread {
  p50: number;
  p99: number;
}

/**
 * The times of creates beyond those of outside systems, in total and by step. `ideal` is a create that never waited for
 * Slipway.
 */
export function ownShares(creates: readonly Times[], ideal: Times): Record<string, Spread> {
  const share = (own: (times: Times) => number): Spread => {
    const all = creates.map(own).toSorted((a, b) => a - b);
    return { p50: percentile(all, 0.5) / 1000, p99: percentile(all, 0.99) / 1000 };
  };
  const without = ({ whole, steps }: Times) => whole - (steps[attach] ?? 0);
  const steps = Object.entries(ideal.steps).map(([name, ideally]) => [
    name,
    share(({ steps, attaching }) => (steps[name] ?? 0) - (name === attach ? attaching : ideally)),
  ]);
  return {
    "a create": share(({ whole, attaching }) => whole - attaching - without(ideal)),
    ...Object.fromEntries(steps),
  };
}

/** The value in sorted numbers that this share of them does not exceed. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
