import type { Metadata } from "./metadata.ts";
import type { ObjectOf } from "./object-of.ts";

/** Every kind of object, by its name in the singular. What is known of each is in its folder in `core/resources`. */
export type Kind = keyof ObjectOf;

/** As types are named: `ClusterTemplate`. */
export const typeNameOf = (kind: string): string =>
  kind.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

/** As paths have it. */
export const pluralOf = (kind: Kind): string => `${kind}s`;

/** Who asked for something. */
export interface Actor {
  user: string;
  on_behalf_of?: Behalf;
}

/** For whom a portal's service account acts: a tenant, and who of it if the portal says so. */
export interface Behalf {
  tenant: string;
  user?: string;
}

/** What changed, kept in the object's own item and write, so that no event can be lost. */
export interface Outbox {
  type: string;
  /** Per object, without gaps, from 1. */
  sequence: number;
  time: string;
  /** Paths that changed, such as `status.state`. */
  changed: string[];
  /** Whose request did it; absent for what Slipway does by itself. */
  by?: Actor;
  /** Paths that have changed since, to be told with the next event. */
  kept_back?: string[];
}

/** An object as it is stored. The API renders it; only the store layer knows its keys. */
export interface StoredObject<K extends Kind, Spec, Status> {
  kind: K;
  id: string;
  metadata: Metadata;
  /** What the user may change: metadata.version, ETag and lock on the wire. Starts at 0. */
  generation: number;
  /** Every write, for optimistic concurrency. Starts at 1. */
  revision: number;
  spec: Spec;
  status: Status;
  event: Outbox;
}

export type AnyObject = StoredObject<Kind, unknown, unknown>;
