import type { TaggedOwner } from "../owner.ts";

/**
 * The storage port: block storage in which an owner creates volumes. Every call may be repeated. All throw
 * Unavailable when the storage does not answer or asks to try later, Rejected when it refuses, and Conflict
 * when somebody else uses one of our names.
 */
export interface Storage {
  ensure(owner: TaggedOwner): Promise<void>;
  observe(owner: TaggedOwner): Promise<StorageObservation>;
  /** The access data for creating volumes; undefined until the storage is allocated. */
  access(owner: TaggedOwner): Promise<StorageAccess | undefined>;
  /**
   * Removes the owner's volumes, for an owner whose volumes must not outlive it. Some take longer:
   * then `remove` still answers the remaining parts.
   */
  removeVolumes(owner: TaggedOwner): Promise<void>;
  /**
   * Removes the owner's storage; succeeds if there is none. Answers the parts that still have
   * volumes, for people to read; empty when nothing remains.
   */
  remove(owner: TaggedOwner): Promise<string[]>;
  /** Every object with an ownership tag in its name, of any owner. */
  observeAll(): Promise<StorageObject[]>;
}

/** An object of an owner, such as its namespace or its user. */
export interface StorageObject {
  kind: string;
  name: string;
  owner: TaggedOwner;
}

export interface StorageObservation {
  state: "done" | "missing";
  /** The number of volumes in the object. */
  volumes: number;
}

/** Access data. Read when needed, and neither stored nor logged: its key gives access to the volumes. */
export interface StorageAccess {
  /** The storage cluster's id. */
  clusterId: string;
  /** The monitors, each as `address:port`. */
  monitors: string[];
  pool: string;
  namespace: string;
  user: string;
  key: string;
}
