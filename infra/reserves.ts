import { dueShards } from "../core/kernel/object/keys.ts";
import type { FunctionName } from "./functions.ts";
import type { Parameters } from "./parameters.ts";

/** Runs that are reserved for a function; also the most that it can have at a time. */
export interface Reserve {
  runs: number;
  /** The stage's parameter for the number. */
  by?: string;
}

/**
 * Runs of the senders of webhooks: for the queue, and for the sweep, where a second run may join a long
 * one.
 */
export const senders = { queue: 8, sweep: 2 };

/**
 * Runs of the function for due operations: one a shard, for the queue of rechecks, and for the schedule's
 * call beside sweeps that take longer than usual.
 */
export const sweepers = { shards: dueShards, queue: 8, more: 4 };

/** The reserve of every function that has one; the other functions share the rest of the account. */
export const reserves = ({
  api: { concurrency: requests, watches },
  concurrency: { hub, site },
  machines,
}: Parameters): Partial<Record<FunctionName, Reserve>> => ({
  // Watches take no runs from requests that are answered at once, and these take none from orders.
  api: { runs: requests, by: "api.concurrency" },
  watch: { runs: watches.concurrency, by: "api.watches.concurrency" },
  "hub-worker": { runs: hub, by: "concurrency.hub" },
  "site-worker": { runs: site, by: "concurrency.site" },
  // Machines have a token and no rate of AWS's: they take no runs from anybody else.
  ...(machines && {
    "site-controller": { runs: machines.concurrency, by: "machines.concurrency" },
  }),
  due: { runs: sweepers.shards + sweepers.queue + sweepers.more },
  // One run for each sort of sweep: hubs, parts, orphans, metrics.
  sweep: { runs: 4 },
  webhooks: { runs: senders.queue + senders.sweep },
});

/** The most watches that may wait; the other runs answer watches that need not wait, or may not. */
export const watchSlots = ({ api: { watches } }: Parameters): number =>
  Math.floor((watches.concurrency * 4) / 5);
