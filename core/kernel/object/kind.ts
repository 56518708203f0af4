import { AppError } from "../../error.ts";
import type { Change, Turn } from "./event-type.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";

/** The members that a kind's objects show, and the events of their changes. */
interface Published<K extends Kind> {
  /** The events that are published of the kind's objects; none for a kind without events. */
  events: readonly Change[];
  /** Members of the answer that tenants do not see, such as `status.hub`; `*` stands for the items of a list. */
  privateMembers?: readonly string[];
  /**
   * The values that the API shows, by path in the answer; the stored `spec` and `status` by default. An event names the
   * paths whose values have changed. `""` is the path of the whole answer.
   */
  shown?: Readonly<Record<string, (object: ObjectOf[K]) => unknown>>;
  /** The events of one object can be listed; each event takes an index entry. */
  hasHistory?: true;
  /** The event type of a change; undefined for a plain `updated`. */
  turn?(before: ObjectOf[K], after: ObjectOf[K]): Turn | undefined;
  /** Whether a change of these paths is progress, which may wait for the next event. */
  isProgress?(before: ObjectOf[K], after: ObjectOf[K], paths: readonly string[]): boolean;
  /**
   * Whether a change of these paths waits for the next event without a limit. For kinds whose objects change far more
   * often than anybody has to react.
   */
  isQuiet?(before: ObjectOf[K], after: ObjectOf[K], paths: readonly string[]): boolean;
  /** Whether another event follows at once and publishes the progress, however old the last event is. */
  isFollowed?(before: ObjectOf[K], after: ObjectOf[K]): boolean;
}

/** How a kind's objects relate to tenants, to projects, and to each other. */
interface Related<K extends Kind> {
  /** All tenants see the objects of tenant `shared`; `isOffered` limits which of them, all by default. */
  shared?: { isOffered?(object: Pick<ObjectOf[K], "spec">, tenant: string): boolean };
  /** Members of projects see only the objects of their projects. */
  inProjects?: true;
  /** The path of the project that counts an object; its `metadata.project` by default. */
  project?(metadata: Pick<ObjectOf[K]["metadata"], "name" | "project">): string | undefined;
  /** The project of an object with this name, for kinds whose names contain one. */
  projectOfName?(name: string): string | undefined;
  /** The objects that an object depends on, beside its project. */
  references?(object: ObjectOf[K]): Reference[];
  /**
   * Other objects may refer to this kind, and a referred object cannot be deleted. `id`: the id in references, the
   * object's own by default. `named`: each use writes an item, so that a refused deletion names the users; for kinds
   * whose objects have few users.
   */
  referencedByOthers?: { id?(object: ObjectOf[K]): string; named?: true };
  /** The object is part of another: it has no name of its own, and no project counts it. */
  attached?: true;
  /** The most objects that a tenant may have at a time; no limit by default. */
  most?: number;
  /**
   * A chosen id is never reused, because outside objects carry the id of their owner even after its deletion.
   */
  isForGood?: true;
}

/** How a kind's objects are stored, where that differs from the default. */
interface StoredAs<K extends Kind> {
  /** Members of the name's claim besides the id. They tell a reader of the claim which items to read next. */
  claim?(object: ObjectOf[K]): Record<string, string>;
  /** Converts the object to the record that is stored, and back. */
  packing?: { pack(object: ObjectOf[K]): object; unpack(stored: ObjectOf[K]): ObjectOf[K] };
  /** Attributes of the object's item that conditions of writes name, beside its revision. */
  conditioned?(object: ObjectOf[K]): Readonly<Record<string, string | number | boolean>>;
  /** The object's entries in the indexes g2 and g3; every object has entries by tenant and by kind. */
  indexes?(object: ObjectOf[K], created: string): Readonly<Record<string, string>> | undefined;
  /**
   * Members by which lists find objects in index g2, in the order of the index's keys. A filter can use the index if it
   * fixes the first member. For a member without a fixed value, the list reads each of the member's known `values`.
   */
  foundBy?: readonly FoundBy<K>[];
  /** Index g1 has the objects of a tenant by name, instead of in order of creation. */
  isListedByName?: true;
  /**
   * The limit, in bytes of JSON, for what Slipway, machines and monitoring write in an object; set where the default
   * (`usualBytes` in `core/kernel/object/size.ts`) is too small. The limit for people leaves this room.
   */
  reportedBytes?: number;
  /**
   * Dictionaries of zlib: sample texts of the kind's events, with which the log stores these in a third of the space.
   * The last one compresses, and each decompresses. None is ever changed or removed; a new one is deployed to readers
   * first.
   */
  dictionaries?: readonly Uint8Array[];
}

/**
 * The definition of a kind, by which the kernel stores its objects and publishes their changes. Each
 * kind's is in `core/resources/<kind>/kind.ts`; a process gets them as `Deps.kinds`. The API's view,
 * rules and documentation of a kind are apart (`core/kernel/object/wire-form.ts`,
 * `core/kernel/request`), so that functions without an API do not bundle them.
 */
export interface KindDefinition<K extends Kind> extends Published<K>, Related<K> {
  /** Sagas change the objects, one operation at a time. */
  isOperated?: true;
  /** A change by a client is an order: its answer names the operation that carries it out. */
  isOrdered?: true;
  /**
   * Whether an object is out of service until an operator restores it. Indexes then list it with the objects whose last
   * operation has failed.
   */
  isOutOfService?(object: ObjectOf[K]): boolean;
  /**
   * Computes the status, if it follows from other members; called with every write. `now` in
   * milliseconds.
   */
  status?(object: ObjectOf[K], now: number): ObjectOf[K]["status"];
  /** How the objects are stored, if not in the default way. */
  stored?: StoredAs<K>;
}

/** A member by which lists find objects. */
export interface FoundBy<K extends Kind> {
  /** Its path in the answer. */
  path: string;
  of(object: ObjectOf[K]): string;
  /** All values that it may have, if these are few. */
  values?: readonly string[];
  /**
   * Values that the index stores under another value, because objects often change between the two. A filter on such a
   * value then checks each object.
   */
  liesAs?: Readonly<Record<string, string>>;
}

/** A reference to an object without which another cannot exist. */
export interface Reference {
  kind: Kind;
  id: string;
}

/**
 * The registry of kinds in a process. The process never meets objects of other kinds. The kernel's tests add a kind of
 * their own.
 */
export type Kinds = { readonly [K in Kind]?: KindDefinition<K> };

/** The definition of a kind. Throws Internal where the process lacks it. */
export function definitionOf<K extends Kind>(kinds: Kinds, kind: K): KindDefinition<K> {
  const definition: KindDefinition<K> | undefined = kinds[kind];
  return known(kind, definition);
}

/** A kind's entry in a registry. Throws Internal if the registry lacks it. */
export function known<Entry>(kind: Kind, entry: Entry | undefined): Entry {
  if (entry === undefined) throw new AppError("Internal", `nothing is known of the kind ${kind}`);
  return entry;
}

export const namesOf = (kinds: Kinds): Kind[] => Object.keys(kinds) as Kind[];

export const isKindIn = (kinds: Kinds, name: string): name is Kind => Object.hasOwn(kinds, name);

/** Changes that every kind with events publishes. */
export const commonChanges = ["created", "updated", "deleted"] as const;

declare module "../deps.ts" {
  interface Deps {
    /** The definition of every kind. */
    kinds: Kinds;
  }
}
