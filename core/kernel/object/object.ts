import type { Metadata } from "./metadata.ts";
import type { ObjectOf } from "./object-of.ts";

/** The names of all kinds, in the singular. Everything about a kind is in its folder in `core/resources`. */
export type Kind = keyof ObjectOf;

/** The name of a kind's type: `ClusterTemplate`. */
export const typeNameOf = (kind: string): string =>
  kind.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

/** An object of a kind in words: `a cluster template`. */
export const oneOf = (kind: string): string =>
  `${/^[aeio]/.test(kind) ? "an" : "a"} ${kind.replaceAll("_", " ")}`;

/** A kind's name in paths. */
export const pluralOf = (kind: Kind): string => (kind.endsWith("s") ? `${kind}es` : `${kind}s`);

/** The user behind a request. */
export interface Actor {
  user: string;
  on_behalf_of?: Behalf;
}

/** The customer for whom a portal's service account acts: a tenant, and a user of it if the portal names one. */
export interface Behalf {
  tenant: string;
  user?: string;
}

/** The last event of an object. It is stored in the object's own item by the same write, so that no event is lost. */
export interface Outbox {
  type: string;
  /** Counts the events of the object from 1, without gaps. */
  sequence: number;
  time: string;
  /**
   * Milliseconds since the previous event; absent for the first event of an object, even if its id was used
   * before.
   */
  after?: number;
  /** Paths that have changed since the previous event, such as `status.state`. */
  changed: string[];
  /** The user whose request made the change; absent for Slipway's own changes. */
  by?: Actor;
  /** Paths that have changed since this event and were not published; the next event publishes them. */
  kept_back?: string[];
}

/** An object as it is stored. The API renders it; only the store layer knows its keys. */
export interface StoredObject<K extends Kind, Spec, Status> {
  kind: K;
  id: string;
  metadata: Metadata;
  /** Counts the changes by users, from 0; it is `metadata.version`, the ETag and the lock of the API. */
  generation: number;
  /** Counts the writes, from 1, for optimistic concurrency. */
  revision: number;
  spec: Spec;
  status: Status;
  event: Outbox;
}

export type AnyObject = StoredObject<Kind, unknown, unknown>;

/** Whether an object is one of this kind. */
export const isOf = <K extends Kind>(kind: K, object: ObjectOf[Kind]): object is ObjectOf[K] =>
  object.kind === kind;
