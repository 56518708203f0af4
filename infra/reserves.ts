import type { FunctionName } from "./functions.ts";
import type { Parameters } from "./parameters.ts";

/** Runs at a time that are kept for a function, and are its most. */
export interface Reserve {
  runs: number;
  /** The stage's parameter that says how many. */
  by?: string;
}

/** Senders of webhooks: for the queue, and for the sweep beside them, a long one of which is joined by a second. */
export const senders = { queue: 8, sweep: 2 };

/** Of every function that has a reserve; the others share what the account has left. */
export const reserves = ({
  api: { concurrency: requests, watches },
  concurrency: { hub, site },
}: Parameters): Partial<Record<FunctionName, Reserve>> => ({
  // Watches take nothing from what is answered at once, nor what is answered at once from orders.
  api: { runs: requests, by: "api.concurrency" },
  watch: { runs: watches.concurrency, by: "api.watches.concurrency" },
  "hub-worker": { runs: hub, by: "concurrency.hub" },
  "site-worker": { runs: site, by: "concurrency.site" },
  // A long one is joined by a second, and by no third.
  due: { runs: 2 },
  // One of each kind: hubs, parts, orphans, metrics.
  sweep: { runs: 4 },
  webhooks: { runs: senders.queue + senders.sweep },
});

/** Watches that may wait; the rest of their runs answers those that need not, or may not. */
export const watchSlots = ({ api: { watches } }: Parameters): number =>
  Math.floor((watches.concurrency * 4) / 5);
