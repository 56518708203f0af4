import type { ClusterId } from "../../id.ts";

/**
 * The storage port: block storage of one order at the provider, which its cluster makes volumes in.
 * Every call may be repeated. All throw Unavailable when the storage cannot be asked or says later,
 * Rejected when it refuses, and Conflict where somebody else has what is named as ours.
 */
export interface Storage {
  ensure(owner: StorageOwner): Promise<void>;
  observe(owner: StorageOwner): Promise<StorageObservation>;
  /** What the cluster's storage class and its Secret need; undefined until it is allocated. */
  access(owner: StorageOwner): Promise<StorageAccess | undefined>;
  /**
   * Removes the volumes in it, for an order whose volumes are not to outlive it. Some may need more
   * time: then what `remove` answers is not empty yet.
   */
  removeVolumes(owner: StorageOwner): Promise<void>;
  /**
   * Gives it back; there may be none. Answers what remains because there are volumes in it, for
   * people to read; empty when nothing does.
   */
  remove(owner: StorageOwner): Promise<string[]>;
  /** Everything that is named as ours, of whatever order. */
  observeAll(): Promise<StorageRemnant[]>;
}

/** The order whose storage it is. */
export interface StorageOwner {
  cluster: ClusterId;
  tenant: string;
}

/** A thing of an order, such as its namespace or its user. */
export interface StorageRemnant extends StorageOwner {
  kind: string;
  name: string;
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
