import type { Page } from "../api/client.ts";
import { pace, useList, useStatus } from "../api/read.ts";
import type { Status } from "../generated/answers.ts";
import { cardsOf } from "../operator/attention.ts";
import { kindAt, waitingOrFailed } from "../orders/kinds.ts";
import type { Ordered } from "../orders/ordered.ts";
import { toneOfWork } from "../ui/state.tsx";

/** How many objects of a place wait, or need an operator: the numbers in the navigation. */

export interface Count {
  number: number;
  /** What they do, for a screen reader and in the title: `4 waiting`. */
  words: string;
  tone: "failed" | "stalled" | "quiet";
}

/** The counts by the path of their place; a place without any has none. */
export type Counts = ReadonlyMap<string, Count>;

/** Of the provider: from the same list as the page Now. */
export function useCountsOfStaff(): Counts {
  const { data } = useStatus(pace.counts);
  return data ? countsIn(data) : new Map();
}

function countsIn({ attention, operations, hubs }: Status): Counts {
  const { waiting, stalled, stuck } = operations;
  const of = (...kinds: string[]) => attention.filter(({ kind }) => kinds.includes(kind)).length;
  const causes = cardsOf(attention).length;
  return known([
    ["/", { number: causes, words: "need attention", tone: "failed" }],
    [
      "/orders",
      stuck + stalled > 0
        ? { number: stuck + stalled, words: "stuck or stalled", tone: "failed" }
        : { number: waiting, words: "waiting", tone: "quiet" },
    ],
    ["/hubs", { number: hubs.unreachable, words: "unreachable", tone: "failed" }],
    ["/hosts", { number: of("host", "dpu"), words: "quarantined or failed", tone: "stalled" }],
    ["/sites", { number: of("site"), words: "need attention", tone: "stalled" }],
  ]);
}

const known = (counts: [string, Count][]): Counts =>
  new Map(counts.filter(([, { number }]) => number > 0));

/** Of a tenant: its own orders that wait or failed. */
export function useCountsOfTenant(): Counts {
  const counts: [string, Count][] = [
    ["/orders", useCount("clusters")],
    ["/servers", useCount("baremetal_instances")],
    ["/networks", useCount("virtual_networks")],
  ];
  return known(counts);
}

/** The most orders that are read for a count. */
const limit = 20;

function useCount(plural: string): Count {
  const kind = kindAt(plural);
  const filter = kind && waitingOrFailed(kind);
  const { data } = useList<Ordered>(plural, { limit, filter });
  return { number: data?.total ?? 0, ...worst(data) };
}

function worst(page: Page<Ordered> | undefined): Omit<Count, "number"> {
  const tones = page?.items.map(({ status }) => toneOfWork(status.state, status)) ?? [];
  const isBad = tones.some((tone) => tone === "failed" || tone === "stuck");
  return isBad
    ? { words: "waiting or failed", tone: "failed" }
    : { words: "waiting", tone: "quiet" };
}
