import { minutes, timestamp } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { archiveKey, objectKey, orphanPartition } from "../kernel/object/keys.ts";
import { objectIn, type Records } from "../kernel/object/records.ts";
import { pagesIn } from "../kernel/store/pages.ts";
import { type Item, type Store, transactionLimit, type Write } from "../kernel/store/store.ts";
import type { Orphan } from "../ports/orphan.ts";
import type { ExternalObject, ExternalSystem } from "./external-system.ts";

/** The orphans at a hub or site, and since when: one item each. */

export interface Place {
  kind: "hub" | "site";
  id: string;
}

/** How long the remains of a cluster may take to go after its end before they count as orphans. */
const settling = minutes(10);
/** The longest id of a tag that is looked up in the store. */
const longestId = 253;

/**
 * Lists these systems and records the orphans there; answers all recorded ones, the oldest first.
 * The records of a system that does not answer stay. `failed` is called with the reason.
 */
export async function findOrphans(
  deps: Deps,
  place: Place,
  systems: ExternalSystem[],
  failed: (system: ExternalSystem, error: unknown) => void,
): Promise<Orphan[]> {
  const known = await bookOf(deps.store, place);
  const found: Orphan[] = [];
  for (const outside of systems) {
    const before = known.filter(({ system }) => system === outside.system);
    try {
      const things = await outside.list();
      found.push(...(await orphansAmong(deps, outside, things, before)));
    } catch (error) {
      failed(outside, error);
      found.push(...before);
    }
  }
  await keep(deps.store, place, known, found);
  return found.toSorted(byAge);
}

/** Looks up owners after the listing: a record is always older than its objects outside. */
async function orphansAmong(
  deps: Deps,
  { system }: ExternalSystem,
  things: ExternalObject[],
  before: Orphan[],
): Promise<Orphan[]> {
  const now = deps.clock.now();
  const owned = await ownedClusters(deps, new Set(things.map(({ cluster }) => cluster)), now);
  const since = new Map(before.map((orphan) => [skOf(orphan), orphan.first_seen]));
  return things
    .filter(({ cluster }) => !owned.has(cluster))
    .map((thing) => {
      const first_seen = since.get(skOf({ system, ...thing })) ?? timestamp(now);
      return { system, ...thing, first_seen };
    });
}

/** Those of these clusters that live, or have ended only just now. Strongly consistent. */
async function ownedClusters(
  { store, kinds }: Records,
  ids: ReadonlySet<string>,
  now: number,
): Promise<ReadonlySet<string>> {
  const plausible = [...ids].filter((id) => id !== "" && id.length <= longestId);
  const items = await store.getMany(
    plausible.flatMap((id) => [objectKey("cluster", id), archiveKey("cluster", id)]),
  );
  const isOwned = (live: Item | undefined, archived: Item | undefined) =>
    live !== undefined ||
    (archived !== undefined &&
      Date.parse(objectIn<"cluster">(kinds, archived).event.time) + settling > now);
  return new Set(plausible.filter((_, n) => isOwned(items[2 * n], items[2 * n + 1])));
}

const skOf = ({ system, kind, id }: Pick<Orphan, "system" | "kind" | "id">): string =>
  `${system}#${kind}#${id}`;

const byAge = (a: Orphan, b: Orphan): number => {
  const [one, other] = [a, b].map((orphan) => `${orphan.first_seen} ${skOf(orphan)}`) as [
    string,
    string,
  ];
  return one < other ? -1 : one > other ? 1 : 0;
};

async function bookOf(store: Store, { kind, id }: Place): Promise<Orphan[]> {
  const found: Orphan[] = [];
  // Only `keep` writes such items.
  for await (const items of pagesIn(store, { pk: orphanPartition(kind, id) }))
    found.push(...items.map(({ orphan }) => orphan as unknown as Orphan));
  return found;
}

async function keep(
  store: Store,
  { kind, id }: Place,
  known: Orphan[],
  found: Orphan[],
): Promise<void> {
  const keyOf = (orphan: Orphan) => ({ pk: orphanPartition(kind, id), sk: skOf(orphan) });
  const [had, has] = [known, found].map((orphans) => new Set(orphans.map(skOf)));
  const writes: Write[] = [
    ...known.filter((orphan) => !has?.has(skOf(orphan))).map((each) => ({ delete: keyOf(each) })),
    ...found
      .filter((orphan) => !had?.has(skOf(orphan)))
      .map((orphan) => ({ put: { ...keyOf(orphan), orphan: { ...orphan } } })),
  ];
  for (let at = 0; at < writes.length; at += transactionLimit)
    await store.transact(writes.slice(at, at + transactionLimit));
}
