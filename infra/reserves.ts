import { dueShards } from "../core/kernel/object/keys.ts";
import type { FunctionName } from "./functions.ts";
import type { Parameters } from "./parameters.ts";

/** The runs reserved for a function, which are also its most concurrent runs. */
export interface Reserve {
  runs: number;
  /** The stage's parameter that sets the number. */
  by?: string;
}

/** Runs of the webhooks' sender: for the queue, and for the sweep, where a second run may begin during a long one. */
export const senders = { queue: 8, sweep: 2 };

/**
 * Runs of the function for due operations: one per shard, some for the queue of rechecks, and some for the
 * schedule's call during unusually long sweeps.
 */
export const sweepers = { shards: dueShards, queue: 8, more: 4 };

/** The reserves of functions; functions without one share the rest of the account's runs. */
export const reserves = ({
  api: { concurrency: requests, watches },
  concurrency: { hub, site },
  machines,
}: Parameters): Partial<Record<FunctionName, Reserve>> => ({
  // Watches take no runs from other requests, and requests take none from orders.
  api: { runs: requests, by: "api.concurrency" },
  watch: { runs: watches.concurrency, by: "api.watches.concurrency" },
  "hub-worker": { runs: hub, by: "concurrency.hub" },
  "site-worker": { runs: site, by: "concurrency.site" },
  // Machines' requests pass no throttle of AWS's, so a reserve keeps them from taking others' runs.
  ...(machines && {
    "site-controller": { runs: machines.concurrency, by: "machines.concurrency" },
  }),
  due: { runs: sweepers.shards + sweepers.queue + sweepers.more },
  // One run for each type of sweep: hubs, parts, orphans, metrics.
  sweep: { runs: 4 },
  webhooks: { runs: senders.queue + senders.sweep },
});

/** The most watches that may wait; the other runs serve watches that need not or must not wait. */
export const watchSlots = ({ api: { watches } }: Parameters): number =>
  Math.floor((watches.concurrency * 4) / 5);
