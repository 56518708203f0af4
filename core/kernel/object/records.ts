import { AppError } from "../../error.ts";
import { frozen } from "../../frozen.ts";
import { plain } from "../../plain.ts";
import { oncePerCounter } from "../store/once-per-counter.ts";
import { pagesIn } from "../store/pages.ts";
import {
  absent,
  any,
  compare,
  eq,
  exists,
  type Item,
  type Json,
  lacks,
  type Query,
  type Store,
  type Update,
  type Write,
} from "../store/store.ts";
import {
  archiveKey,
  countKey,
  indexKeys,
  inProjectKey,
  nameKey,
  objectKey,
  projectCountKey,
  totalKey,
} from "./keys.ts";
import { definitionOf, type Kinds } from "./kind.ts";
import { labelWrites } from "./labels.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import { lineage, projectOf } from "./project.ts";
import { useWrites } from "./uses.ts";

/** Objects in the store: the functions that read, create, change and archive them. */

/** The parts of `deps` that reading and writing objects needs: the store, and the registry of kinds. */
export interface Records {
  store: Store;
  kinds: Kinds;
}

/** How long a deleted object is kept as an archived item, in seconds. */
const archiveTime = 30 * 24 * 3600;

/** Whether an item holds an object. Claims, counters and logs do not. */
export const isOfObject = (item: Item): boolean => "object" in item;

/** The object in an item. Only this module writes such items, so the cast is safe. */
export function objectIn<K extends Kind>(kinds: Kinds, { object }: Item): ObjectOf[K] {
  const stored = object as unknown as ObjectOf[K];
  return definitionOf<K>(kinds, stored.kind as K).stored?.packing?.unpack(stored) ?? stored;
}

/**
 * The object in an item of the stream, if it is of one of these kinds and not archived. Other objects are not unpacked,
 * since readers of the stream call this for each change.
 */
export function liveIn<K extends Kind>(
  kinds: Kinds,
  wanted: readonly K[],
  item: Item | undefined,
): ObjectOf[K] | undefined {
  if (!item || !wanted.some((kind) => item.pk.startsWith(`${kind}#`)) || !isOfObject(item))
    return undefined;
  const object = objectIn<K>(kinds, item);
  // Archived objects have different keys.
  return item.pk === objectKey(object.kind, object.id).pk ? object : undefined;
}

/** The item with another event of its object. */
export function itemWithEvent(item: Item, event: ObjectOf[Kind]["event"]): Item {
  const object = { ...(item.object as object), event };
  return { ...item, object: storable(object) };
}

/** The item of an object: the object as one member, beside the item's keys and the attributes that conditions name. */
function itemOf(kinds: Kinds, object: ObjectOf[Kind]): Item {
  const { packing, conditioned } = definitionOf(kinds, object.kind).stored ?? {};
  return plain({
    ...objectKey(object.kind, object.id),
    ...indexKeys(kinds, object),
    revision: object.revision,
    ...conditioned?.(object),
    object: storable(packing?.pack(object) ?? object),
  });
}

/**
 * An object as a member of an item; it is frozen, so that the store can share it. A record has only JSON in it, which
 * its type cannot say.
 */
const storable = (object: object): Json => frozen(plain(object)) as unknown as Json;

/** Reads an object, strongly consistent; undefined if there is none. */
export async function load<K extends Kind>(
  { store, kinds }: Records,
  kind: K,
  id: string,
): Promise<ObjectOf[K] | undefined> {
  const item = await store.get(objectKey(kind, id));
  return item && objectIn<K>(kinds, item);
}

/** Reads an object that must exist. Throws NotFound. */
export async function mustLoad<K extends Kind>(
  records: Records,
  kind: K,
  id: string,
): Promise<ObjectOf[K]> {
  const object = await load(records, kind, id);
  if (!object) throw new AppError("NotFound", `${kind} '${id}' does not exist`);
  return object;
}

/** A deleted object with its last event; undefined once the archive has dropped it. */
export async function archived(
  { store, kinds }: Records,
  kind: Kind,
  id: string,
): Promise<ObjectOf[Kind] | undefined> {
  const item = await store.get(archiveKey(kind, id));
  return item && objectIn(kinds, item);
}

/**
 * Puts a changed object, on the condition that nobody has written it since it was read, with the changes of its labels'
 * entries and of the counters of the objects that it uses. Only `written` calls it.
 */
export const putChanged = (
  kinds: Kinds,
  before: ObjectOf[Kind],
  after: ObjectOf[Kind],
): Write[] => [
  {
    put: itemOf(kinds, { ...after, revision: before.revision + 1 }),
    if: eq("revision", before.revision),
  },
  ...useWrites(kinds, before, after),
  ...labelWrites(kinds, before, after),
];

/**
 * Puts a new object with its name claim, the entries of its labels, its own counters, and the counters of the objects
 * that it uses. An object whose id may have been used before also needs `opening`.
 */
export function putNew(kinds: Kinds, object: ObjectOf[Kind]): Write[] {
  const definition = definitionOf(kinds, object.kind);
  const { tenant, project, name } = object.metadata;
  const writes: Write[] = [
    { put: itemOf(kinds, { ...object, revision: 1 }), if: absent },
    { update: countKey(object.kind, tenant), add: { count: 1 }, ...below(definition.most) },
    { update: totalKey(object.kind, object.id), add: { count: 1 } },
    ...projectWrites(kinds, object, 1),
    ...useWrites(kinds, undefined, object),
    ...labelWrites(kinds, undefined, object),
  ];
  if (!definition.attached) {
    writes.push({
      put: {
        ...nameKey(object.kind, tenant, project ?? "", name),
        id: object.id,
        ...definition.stored?.claim?.(object),
      },
      if: absent,
    });
  }
  return writes;
}

/** The condition that a counter is below this limit. */
const below = (most: number | undefined): Pick<Update, "if"> =>
  most === undefined ? {} : { if: any(lacks("count"), compare("count", "lt", most)) };

/** Events are identified by id and sequence, so an id that is used again continues the sequence. */
export const firstSequence = (kinds: Kinds, archived: Item | undefined): number =>
  archived ? objectIn(kinds, archived).event.sequence + 1 : 1;

/** Moves an object to the archive for a while, and frees its name. `object` carries its last event. */
export function archive(kinds: Kinds, object: ObjectOf[Kind], now: number): Write[] {
  const { tenant, project, name } = object.metadata;
  const { pk, sk } = archiveKey(object.kind, object.id);
  const bare = storable(object);
  return [
    { delete: objectKey(object.kind, object.id), if: eq("revision", object.revision) },
    { put: { pk, sk, object: bare, expires: Math.floor(now / 1000) + archiveTime } },
    { delete: nameKey(object.kind, tenant, project ?? "", name), if: exists },
    { update: countKey(object.kind, tenant), add: { count: -1 } },
    { update: totalKey(object.kind, object.id), add: { count: -1 } },
    ...projectWrites(kinds, object, -1),
    ...useWrites(kinds, object, undefined),
    ...labelWrites(kinds, object, undefined),
  ];
}

/** Deletes operations for good. Operations have no name, and nothing refers to them. */
export function takenAway(kinds: Kinds, operations: ObjectOf["operation"][]): Write[] {
  const writes = operations.flatMap((operation): Write[] => [
    { delete: objectKey("operation", operation.id), if: eq("revision", operation.revision) },
    { update: countKey("operation", operation.metadata.tenant), add: { count: -1 } },
    { update: totalKey("operation", operation.id), add: { count: -1 } },
    ...projectWrites(kinds, operation, -1),
  ]);
  return oncePerCounter(writes);
}

/**
 * Adds an object to the list and the counters of its project, and to the counters of the projects above; or
 * removes it there.
 */
function projectWrites(kinds: Kinds, object: ObjectOf[Kind], by: 1 | -1): Write[] {
  const { kind, id, metadata } = object;
  const project = definitionOf(kinds, kind).inProjects ? projectOf(kinds, object) : undefined;
  if (project === undefined) return [];
  const key = inProjectKey(object, project);
  return [
    by === 1 ? { put: { ...key, id } } : { delete: key },
    ...lineage(project).map((path) => ({
      update: projectCountKey(kind, metadata.tenant, path),
      add: { count: by },
    })),
  ];
}

/**
 * The objects of a query, a page at a time. An index, which may lag, finds their ids; each object is then read in its
 * present state.
 */
export async function* objectsIn<K extends Kind>(
  { store, kinds }: Records,
  query: Query,
): AsyncGenerator<ObjectOf[K][]> {
  for await (const items of pagesIn(store, query))
    yield items.map((item) => objectIn<K>(kinds, item));
}
