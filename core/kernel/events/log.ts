import type { Deps } from "../deps.ts";
import { logPartitions, logShards } from "../object/log-keys.ts";
import type { Records } from "../object/records.ts";
import { heldSince } from "../object/tenancy.ts";
import type { Item } from "../store/store.ts";
import type { Event } from "./events.ts";
import { eventIn } from "./log-entry.ts";
import { atTime, behind, timeOf } from "./position.ts";

/** An entry in a tenant's log, with its position. */
export interface LogEntry {
  position: string;
  /** Absent if the entry has no event, or none that the tenant may see. */
  event?: Event;
}

export interface Reading {
  /** The last position that was read. */
  after: string;
  /** The approximate number of entries to read from each log. */
  limit: number;
  /** Whether events of previous tenants of these names are included: for the provider. */
  isWhole?: boolean;
}

export type LogDeps = Records & Pick<Deps, "logTime">;

/**
 * The next entries in the logs of these tenants, in the order of their positions. Empty only if readers may not
 * read further yet. When a tenant's name is used again, its log continues.
 */
export async function readLogs(
  deps: LogDeps,
  tenants: string[],
  { after, limit, isWhole = false }: Reading,
): Promise<LogEntry[]> {
  // All shards are read to the same end, so that entries written between two queries come later.
  const range = { from: behind(after), to: atTime(deps.logTime.settled()) };
  const each = Math.ceil(limit / logShards);
  const shards = await Promise.all(
    tenants.flatMap((tenant) =>
      logPartitions(tenant).map(async (pk) => {
        const { items, cursor } = await deps.store.query({ pk, range, limit: each });
        return { tenant, items, hasMore: cursor !== undefined };
      }),
    ),
  );
  // The result ends at the last entry of a shard that has more entries: these may precede entries of other shards.
  const [end] = shards
    .flatMap(({ items, hasMore }) => (hasMore ? (items.at(-1)?.sk ?? []) : []))
    .sort();
  const read = shards.flatMap(({ tenant, items }) =>
    items.filter(({ sk }) => end === undefined || sk <= end).map((item) => ({ tenant, item })),
  );
  const names = new Set(read.map(({ tenant }) => tenant));
  const since = await toldSince(deps, names, isWhole);
  return read
    .map(({ tenant, item }) => entryOf(deps, item, since.get(tenant)))
    .sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** `since`: the tenant sees events after this time; undefined for none. */
function entryOf({ kinds }: Records, item: Item, since: string | undefined): LogEntry {
  const event = eventIn(kinds, item);
  const isTold = event !== undefined && since !== undefined && event.time > since;
  return { position: item.sk, ...(isTold && { event }) };
}

/** The time after which each tenant sees events; undefined for a name that no tenant has now. */
async function toldSince(deps: LogDeps, tenants: Set<string>, isWhole: boolean) {
  const each = [...tenants].map(
    async (tenant) => [tenant, isWhole ? "" : await heldSince(deps, tenant)] as const,
  );
  return new Map(await Promise.all(each));
}

/** The time of the first entry behind a position, even if readers may not read it yet. */
export async function nextTime(
  { store }: Pick<Deps, "store">,
  tenant: string,
  position: string,
): Promise<number | undefined> {
  const range = { from: behind(position) };
  const first = await Promise.all(
    logPartitions(tenant).map((pk) => store.query({ pk, range, limit: 1 })),
  );
  const times = first.flatMap(({ items }) => items.map(({ sk }) => timeOf(sk)));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The position of the last entry, even if readers may not read it yet. */
export async function lastPosition(
  { store }: Pick<Deps, "store">,
  tenant: string,
): Promise<string | undefined> {
  const last = await Promise.all(
    logPartitions(tenant).map((pk) => store.query({ pk, reverse: true, limit: 1 })),
  );
  return last
    .flatMap(({ items }) => items.map(({ sk }) => sk))
    .sort()
    .at(-1);
}
