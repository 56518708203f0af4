import { minutes, timestamp } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { orphanPartition, orphansKey } from "../kernel/object/hub-keys.ts";
import { objectIn } from "../kernel/object/records.ts";
import { everyItem } from "../kernel/store/pages.ts";
import {
  absent,
  type Check,
  eq,
  type Item,
  type Store,
  TransactionRefused,
  transactionLimit,
  type Write,
  type WriteCondition,
} from "../kernel/store/store.ts";
import type { Orphan } from "../ports/orphan.ts";
import type { OwnershipTag } from "../ports/owner.ts";
import type { SweptPlace } from "../ports/sweep-times.ts";
import type { ExternalObject, ExternalSystem } from "./external-system.ts";
import { ownerRecords, textOf } from "./owner-records.ts";

/** A hub or a site with its orphans, one item for each. */

/** How long after an owner's end its remains do not count as orphans yet. */
const settling = minutes(10);

/** The records of a sweep. */
export interface Recorded {
  /** All orphans of the place, the oldest first. */
  orphans: Orphan[];
  /** Holds until another sweep of the place has recorded orphans. */
  fence: Check[];
}

/**
 * Lists the objects of these systems and records the orphans among them. The records of an unavailable system stay;
 * `failed` is called with the reason. Answers undefined when another sweep of the place has recorded orphans meanwhile:
 * its listing may be newer.
 */
export async function findOrphans(
  deps: Deps,
  place: SweptPlace,
  systems: ExternalSystem[],
  failed: (system: ExternalSystem, error: unknown) => void,
): Promise<Recorded | undefined> {
  const revision = await revisionOf(deps.store, place);
  const known = await orphansOf(deps.store, place);
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
  const fence = await keep(deps.store, place, { revision, known, found });
  return fence && { orphans: found.toSorted(byAge), fence };
}

/** The recorded orphans of a place, the oldest first. */
export async function orphansOf(store: Store, { kind, id }: SweptPlace): Promise<Orphan[]> {
  const items = await everyItem(store, { pk: orphanPartition(kind, id) });
  return items.map(orphanIn).toSorted(byAge);
}

/** Reads owners after the listing, since a record is always older than its objects outside. */
async function orphansAmong(
  deps: Deps,
  { system }: ExternalSystem,
  things: ExternalObject[],
  before: Orphan[],
): Promise<Orphan[]> {
  const now = deps.clock.now();
  const records = await ownerRecords(
    deps,
    things.map(({ owner }) => owner),
  );
  /** Whether the owner still exists, or has ended very recently. */
  const isOwner = (tag: OwnershipTag) => {
    const { live, archived } = records.get(textOf(tag)) ?? {};
    if (live || !archived) return live !== undefined;
    return Date.parse(objectIn(deps.kinds, archived).event.time) + settling > now;
  };
  const since = new Map(before.map((orphan) => [skOf(orphan), orphan.first_seen]));
  return things
    .filter(({ owner }) => !isOwner(owner))
    .map((thing) => {
      const first_seen = since.get(skOf({ system, ...thing })) ?? timestamp(now);
      return { system, ...thing, first_seen };
    });
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

/** The number of changes of a place's orphans. */
async function revisionOf(store: Store, { kind, id }: SweptPlace): Promise<number> {
  return Number((await store.get(orphansKey(kind, id)))?.revision ?? 0);
}

/** Only `keep` writes such items, so the cast is safe. */
const orphanIn = ({ orphan }: Item): Orphan => orphan as unknown as Orphan;

interface Listing {
  /** The revision of the orphans before the listing, and those orphans. */
  revision: number;
  known: Orphan[];
  found: Orphan[];
}

/** Records a listing; undefined when another sweep was faster. */
async function keep(
  store: Store,
  { kind, id }: SweptPlace,
  { revision, known, found }: Listing,
): Promise<Check[] | undefined> {
  const keyOf = (orphan: Orphan) => ({ pk: orphanPartition(kind, id), sk: skOf(orphan) });
  const [had, has] = [known, found].map((orphans) => new Set(orphans.map(skOf)));
  const writes: Write[] = [
    ...known.filter((orphan) => !has?.has(skOf(orphan))).map((each) => ({ delete: keyOf(each) })),
    ...found
      .filter((orphan) => !had?.has(skOf(orphan)))
      .map((orphan) => ({
        put: { ...keyOf(orphan), orphan: { ...orphan, owner: { ...orphan.owner } } },
      })),
  ];
  const book = orphansKey(kind, id);
  const perTransaction = transactionLimit - 1;
  let last = revision;
  for (let at = 0; at < writes.length; at += perTransaction, last++) {
    const turn = { put: { ...book, revision: last + 1 }, if: isAt(last) };
    try {
      await store.transact([turn, ...writes.slice(at, at + perTransaction)]);
    } catch (error) {
      if (error instanceof TransactionRefused) return undefined;
      throw error;
    }
  }
  return [{ check: book, if: isAt(last) }];
}

const isAt = (revision: number): WriteCondition =>
  revision === 0 ? absent : eq("revision", revision);
