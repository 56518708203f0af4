import type * as z from "zod";

/** An object in the server's form. `spec` and `status` depend on the kind. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [member: string]: unknown;
}

/** An object as a client sends it: the server fills in the rest of `metadata`. */
export interface KubeInput {
  apiVersion: string;
  kind: string;
  metadata: Partial<ObjectMeta>;
  [member: string]: unknown;
}

export interface ObjectMeta {
  name: string;
  /** The server appends five characters when `name` is absent. */
  generateName?: string;
  /** Absent for cluster-scoped kinds. */
  namespace?: string;
  uid: string;
  resourceVersion: string;
  /** Only custom kinds have one: it counts changes outside `metadata` and `status`. */
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: ManagedFields[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFields {
  manager: string;
  operation: "Apply" | "Update";
  apiVersion: string;
  time: string;
  fieldsType: "FieldsV1";
  fieldsV1: FieldSet;
  subresource?: string;
}

/** A tree of fields with keys `f:<name>`, `k:<keys of a list item>` or `v:<member of a set>`. */
export interface FieldSet {
  [element: string]: FieldSet;
}

export interface PrintColumn {
  name: string;
  type: "string" | "integer" | "number" | "boolean" | "date";
  /** JSONPath in the form of CRDs: `.status.conditions[?(@.type=="Available")].status`. */
  path: string;
  /** Computes the cell from the object, for a built-in kind whose column combines several members. */
  show?(object: KubeObject): string;
  /** Shown by `kubectl get -o wide` only when above 0. */
  priority?: number;
}

/** One kind the cluster serves, in one version. */
export interface ResourceKind {
  /** The API group; empty for the core group. */
  group: string;
  version: string;
  kind: string;
  plural: string;
  singular: string;
  shortNames?: string[];
  categories?: string[];
  namespaced: boolean;
  subresources?: ("status" | "scale")[];
  /**
   * The strict schema of the whole object as a user sends it (see `objectSchema`). Its output is stored, so defaults
   * and transforms apply. Without a schema every object is accepted.
   */
  spec?: z.ZodType;
  printColumns?: PrintColumn[];
  /**
   * Dotted paths from the object's root (`spec.services`) that can be set once and not changed or removed, with the
   * message of the CEL rule; without one, "Services is immutable".
   */
  immutable?: (string | { path: string; message: string })[];
  /** The refusal of a change by an admission policy of the cluster; undefined for a permitted change. */
  refuses?(live: KubeObject, next: KubeObject): string | undefined;
  /** Dotted paths for `fieldSelector`, besides metadata.name and metadata.namespace. */
  selectableFields?: string[];
  /** The form of a name; `subdomain` by default. */
  names?: "subdomain" | "label" | "path";
  /**
   * Whether the kind is compiled into a real server rather than defined by a CRD: it accepts strategic
   * merge patches, an update needs no resourceVersion, and there is no `metadata.generation`.
   */
  builtIn?: boolean;
}

export interface WatchEvent {
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: KubeObject;
}

/** The apiVersion of a kind: `""` and `v1` make `v1`; `apps` and `v1` make `apps/v1`. */
export function apiVersionOf(kind: Pick<ResourceKind, "group" | "version">): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}

/** The group-qualified resource in error messages: `nodepools.hypershift.openshift.io`. */
export function resourceName(kind: Pick<ResourceKind, "group" | "plural">): string {
  return kind.group === "" ? kind.plural : `${kind.plural}.${kind.group}`;
}
