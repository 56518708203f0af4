import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../core/clock.ts";
import type { PropagationPolicy } from "./deletion.ts";
import type { ResourceKind } from "./object.ts";
import type { FieldValidation } from "./schema.ts";

export interface ClusterOptions {
  /** The database, which several clusters may share. */
  database: DatabaseSync;
  name: string;
  kinds: ResourceKind[];
  clock: Clock;
  /** Random numbers in [0, 1), for uids and generated names. */
  random?: () => number;
  /** Whether an operator deletes the objects of namespaces in deletion; otherwise they are deleted at once. */
  hasNamespaceController?: boolean;
}

export interface ListOptions {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
}

export interface WriteOptions {
  /** The name of the writer in `metadata.managedFields`. */
  fieldManager?: string;
  /** Writes the status subresource: all members except `status` stay the same. */
  subresource?: "status";
  /** What to do with unknown fields; Strict by default. */
  fieldValidation?: FieldValidation;
  /** Called with the unknown fields that were dropped under Warn. */
  warn?: (message: string) => void;
}

export interface ApplyOptions extends WriteOptions {
  fieldManager: string;
  /** Whether to take over fields from other managers instead of failing with 409. */
  force?: boolean;
}

export interface DeleteOptions {
  uid?: string;
  resourceVersion?: string;
  propagationPolicy?: PropagationPolicy;
}
