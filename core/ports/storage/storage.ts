import type { TaggedOwner } from "../owner.ts";

/**
 * The storage port: block storage of an owner at the provider, which volumes are made in.
 * Every call may be repeated. All throw Unavailable when the storage cannot be asked or says later,
 * Rejected when it refuses, and Conflict where somebody else has what is named as ours.
 */
export interface Storage {
  ensure(owner: TaggedOwner): Promise<void>;
  observe(owner: TaggedOwner): Promise<StorageObservation>;
  /** What whoever makes volumes in it needs; undefined until it is allocated. */
  access(owner: TaggedOwner): Promise<StorageAccess | undefined>;
  /**
   * Removes the volumes in it, for an owner whose volumes are not to outlive it. Some may need more
   * time: then what `remove` answers is not empty yet.
   */
  removeVolumes(owner: TaggedOwner): Promise<void>;
  /**
   * Gives it back; there may be none. Answers what remains because there are volumes in it, for
   * people to read; empty when nothing does.
   */
  remove(owner: TaggedOwner): Promise<string[]>;
  /** Everything that is named as ours, of whatever owner. */
  observeAll(): Promise<OwnedObject[]>;
}

/** What an owner has, such as its namespace or its user. */
export interface OwnedObject {
  kind: string;
  name: string;
  owner: TaggedOwner;
}

export interface StorageObservation {
  state: "done" | "missing";
  /** Volumes that are in it. */
  volumes: number;
}

/** Read when it is needed, and stored and logged nowhere: the key opens the volumes. */
export interface StorageAccess {
  /** The storage cluster's id. */
  clusterId: string;
  /** `address:port` of each. */
  monitors: string[];
  pool: string;
  namespace: string;
  user: string;
  key: string;
}
