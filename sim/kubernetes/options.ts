import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../core/clock.ts";
import type { PropagationPolicy } from "./deletion.ts";
import type { ResourceKind } from "./object.ts";
import type { FieldValidation } from "./schema.ts";

export interface ClusterOptions {
  /** Several clusters may share one database. */
  database: DatabaseSync;
  name: string;
  kinds: ResourceKind[];
  clock: Clock;
  /** Numbers in [0, 1): uids and generated names. */
  random?: () => number;
  /** Whether an operator empties namespaces that are being removed; else they are empty at once. */
  hasNamespaceController?: boolean;
}

export interface ListOptions {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
}

export interface WriteOptions {
  /** Who is recorded in `metadata.managedFields`. */
  fieldManager?: string;
  /** Write the status subresource: everything but `status` is then left as it is. */
  subresource?: "status";
  /** What to do with unknown fields; Strict unless told. */
  fieldValidation?: FieldValidation;
  /** Hears of unknown fields that were dropped under Warn. */
  warn?: (message: string) => void;
}

export interface ApplyOptions extends WriteOptions {
  fieldManager: string;
  /** Takes fields over from other managers instead of failing with 409. */
  force?: boolean;
}

export interface DeleteOptions {
  uid?: string;
  resourceVersion?: string;
  propagationPolicy?: PropagationPolicy;
}
