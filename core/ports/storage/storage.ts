import type { TaggedOwner } from "../owner.ts";

/**
 * The storage port: block storage for an owner, in which the owner makes volumes. Every call may be
 * repeated. All throw Unavailable when the storage does not answer or asks to try later, Rejected when
 * it refuses, and Conflict when somebody else uses a name of ours.
 */
export interface Storage {
  ensure(owner: TaggedOwner): Promise<void>;
  observe(owner: TaggedOwner): Promise<StorageObservation>;
  /** The access data for making volumes; undefined until the storage is allocated. */
  access(owner: TaggedOwner): Promise<StorageAccess | undefined>;
  /**
   * Removes the owner's volumes, for an owner whose volumes are not to outlive it. Some may need more
   * time: then `remove` still answers what remains.
   */
  removeVolumes(owner: TaggedOwner): Promise<void>;
  /**
   * Removes the owner's storage; there may be none. Answers, for people, what remains because it still
   * has volumes; empty when nothing remains.
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

/** Access data. Read when needed, and neither stored nor logged: the key opens the volumes. */
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
