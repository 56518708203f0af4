import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../core/clock.ts";
import type { KubeInput, KubeObject, ResourceKind, WatchEvent } from "./object.ts";

export type { KubeInput, KubeObject, ObjectMeta, ResourceKind, WatchEvent } from "./object.ts";

export interface ClusterOptions {
  /** Several clusters may share one database. */
  database: DatabaseSync;
  name: string;
  kinds: ResourceKind[];
  clock: Clock;
  /** Numbers in [0, 1): uids and generated names. */
  random?: () => number;
}

export interface ListOptions {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
}

export interface WriteOptions {
  /** Who is recorded in `metadata.managedFields`. */
  fieldManager?: string;
}

export interface ApplyOptions {
  fieldManager: string;
  /** Takes fields over from other managers instead of failing with 409. */
  force?: boolean;
}

export interface DeleteOptions {
  uid?: string;
  resourceVersion?: string;
  propagationPolicy?: "Background" | "Foreground" | "Orphan";
}

/**
 * One simulated Kubernetes cluster, in process and synchronous. Objects live in SQLite: a write is
 * stored before the call returns, and a cluster opened again goes on from where it was.
 *
 * `kind` is the Kind string; where two groups have the same Kind, say `Kind.group`. Every refusal is
 * thrown as `KubeError`, which carries the Status object the real server answers. What the methods
 * return is the caller's own copy.
 */
export declare class KubeCluster {
  constructor(options: ClusterOptions);
  readonly name: string;
  readonly clock: Clock;
  get(kind: string, namespace: string | undefined, name: string): KubeObject | undefined;
  list(kind: string, options?: ListOptions): KubeObject[];
  /** As a client would: validated, 409 when it exists. `status` is kept only for kinds without the subresource. */
  create(object: KubeInput, options?: WriteOptions): KubeObject;
  /** Server-side apply; creates what is missing. */
  apply(object: KubeInput, options: ApplyOptions): KubeObject;
  update(object: KubeInput, options?: WriteOptions): KubeObject;
  /** For operators: replaces `status` with what `change` returns (it may change its argument in place). */
  patchStatus(
    kind: string,
    namespace: string | undefined,
    name: string,
    change: (status: Record<string, unknown>, object: KubeObject) => Record<string, unknown>,
  ): KubeObject;
  /** For operators: changes any part, unvalidated; removing the last finalizer of a deleted object ends it. */
  mutate(
    kind: string,
    namespace: string | undefined,
    name: string,
    change: (object: KubeObject) => KubeObject,
    options?: WriteOptions,
  ): KubeObject;
  /** Answers the object as it was left: with a deletionTimestamp while finalizers hold it. */
  delete(kind: string, namespace: string | undefined, name: string, options?: DeleteOptions): KubeObject;
  /** Calls `listener` after each stored change of `kind` ("*": of all); a listener must not throw. */
  watch(kind: string, listener: (event: WatchEvent) => void): () => void;
}
