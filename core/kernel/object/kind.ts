import { AppError } from "../../error.ts";
import type { Change, Turn } from "./event-type.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";

/**
 * What the kernel must know of a kind to store its objects and to tell of their changes. A kind has its
 * own in `core/resources/<kind>/kind.ts`; every process gets all of them as `Deps.kinds`. How the API
 * shows, checks and describes a kind is apart (`core/kernel/object/wire-form.ts`, `core/kernel/request`),
 * so that functions without an API carry none of it.
 */
export interface KindDefinition<K extends Kind> {
  /** Events that are published of its objects; none for a kind whose changes nobody follows. */
  events: readonly Change[];
  /** Members of the answer that tenants do not see, such as `status.hub`; `*` stands for the items of a list. */
  privateMembers?: readonly string[];
  /**
   * What the API shows, by its path in the answer; `spec` and `status` as they are stored unless said. An
   * event names the paths whose values have changed. `""` stands for the answer itself.
   */
  shown?: Readonly<Record<string, (object: ObjectOf[K]) => unknown>>;
  /** Everybody sees those of tenant `shared`; `isOffered` says which of them, all unless said. */
  shared?: { isOffered?(object: Pick<ObjectOf[K], "spec">, tenant: string): boolean };
  /** Members of projects see those of their projects only. */
  inProjects?: true;
  /** The path of the project that one counts in; its `metadata.project` unless said. */
  project?(metadata: Pick<ObjectOf[K]["metadata"], "name" | "project">): string | undefined;
  /** The project that one of this name lies in, where its name says so. */
  projectOfName?(name: string): string | undefined;
  /** What one cannot be without, beside its project. */
  references?(object: ObjectOf[K]): Reference[];
  /** Others may refer to one, so that it cannot go meanwhile: the id that they refer by, its own unless said. */
  referencedByOthers?: { id?(object: ObjectOf[K]): string };
  /** What the claim of its name says beside its id: what is read after it, so that both can be read at once. */
  claim?(object: ObjectOf[K]): Record<string, string>;
  /** An id that was chosen is never given again: what an object owns outside is found by its id, also after its end. */
  isForGood?: true;
  /** Goes with another object: it has no name of its own, and holds no project. */
  attached?: true;
  /** Sagas change it: a change is an order, and its answer names the operation that carries it out. */
  isOperated?: true;
  /** Its status where that follows from its other members: computed with every write. `now` in milliseconds. */
  status?(object: ObjectOf[K], now: number): ObjectOf[K]["status"];
  /** How its record is kept smaller. */
  stored?: { pack(object: ObjectOf[K]): object; unpack(stored: ObjectOf[K]): ObjectOf[K] };
  /** Its entries in the indexes g2 and g3; those of its tenant and of its kind are everybody's. */
  indexes?(object: ObjectOf[K], created: string): Readonly<Record<string, string>> | undefined;
  /** What a change means beside `updated`. */
  turn?(before: ObjectOf[K], after: ObjectOf[K]): Turn | undefined;
  /** Whether a change of these paths may wait for the next event. */
  isProgress?(before: ObjectOf[K], after: ObjectOf[K], paths: readonly string[]): boolean;
}

/** An object that another cannot be without. */
export interface Reference {
  kind: Kind;
  id: string;
}

/**
 * The registry of a process. A process that lacks a kind never meets its objects; the kernel's tests add
 * one that the product lacks.
 */
export type Kinds = { readonly [K in Kind]?: KindDefinition<K> };

/** The definition of a kind. Throws Internal where the process lacks it. */
export function definitionOf<K extends Kind>(kinds: Kinds, kind: K): KindDefinition<K> {
  const definition: KindDefinition<K> | undefined = kinds[kind];
  return known(kind, definition);
}

/** A kind's entry in a registry. Throws Internal where the registry lacks it. */
export function known<Entry>(kind: Kind, entry: Entry | undefined): Entry {
  if (entry === undefined) throw new AppError("Internal", `nothing is known of the kind ${kind}`);
  return entry;
}

export const namesOf = (kinds: Kinds): Kind[] => Object.keys(kinds) as Kind[];

export const isKindIn = (kinds: Kinds, name: string): name is Kind => Object.hasOwn(kinds, name);

/** Changes that every kind with events tells of. */
export const commonChanges = ["created", "updated", "deleted"] as const;

declare module "../deps.ts" {
  interface Deps {
    /** What is known of every kind of object. */
    kinds: Kinds;
  }
}
