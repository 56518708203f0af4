import { AppError } from "../../../error.ts";
import { isObject } from "../../../kernel/input/shape.ts";
import type { Json } from "../../../kernel/store/store.ts";
import type { Manifest, OperatorRequest } from "../../../ports/guest/guest.ts";
import type { FailurePolicy, ManifestSource, TemplateContent, TemplateStorage } from "../model.ts";
import { rendered, type Values } from "./placeholders.ts";

/**
 * The parts of a hosted cluster that a template defines: the content of a revision, filled in with an order's values.
 */

/** The test workload, which is applied, watched until it succeeds, and removed. */
export interface Validation {
  workload: Manifest[];
  timeoutMinutes: number;
}

/** The storage class in the hosted cluster. */
export interface StorageClassOptions {
  storageClass: string;
  isDefault: boolean;
  reclaimPolicy: "Delete" | "Retain";
  filesystem: "ext4" | "xfs";
}

/** The manifests in the order of their application. They follow the operators, which may define their kinds. */
export function renderedManifests(content: TemplateContent, parameters: Values): Manifest[] {
  return (content.manifests ?? []).map((manifest) => renderedManifest(manifest, parameters));
}

export function operatorsOf(content: TemplateContent, parameters: Values): OperatorRequest[] {
  return (content.operators ?? []).map((operator) => ({
    package: operator.package,
    channel: textOf(operator.channel, parameters),
    namespace: operator.namespace,
    source: operator.source ?? "redhat-operators",
    ownNamespace: operator.own_namespace_only ?? false,
  }));
}

/** The test workload; undefined if the template has none. */
export function validationOf(
  { validation }: TemplateContent,
  parameters: Values,
): Validation | undefined {
  if (!validation) return undefined;
  return {
    workload: validation.workload.map((manifest) => renderedManifest(manifest, parameters)),
    timeoutMinutes: validation.timeout_minutes,
  };
}

/** The storage class; undefined for a cluster without volume storage. */
export function storageOf({ storage }: TemplateContent): StorageClassOptions | undefined {
  return storage && withDefaults(storage);
}

const withDefaults = (storage: TemplateStorage): StorageClassOptions => ({
  storageClass: storage.storage_class ?? "ceph-rbd",
  isDefault: storage.is_default ?? true,
  reclaimPolicy: storage.reclaim_policy ?? "Delete",
  filesystem: storage.filesystem ?? "ext4",
});

export const onFailure = ({ on_failure }: TemplateContent): FailurePolicy => on_failure ?? "unwind";

function renderedManifest(manifest: ManifestSource, parameters: Values): Manifest {
  const object = rendered(manifest, parameters);
  if (!isManifest(object)) throw new AppError("Internal", "a manifest that was accepted is none");
  return object;
}

/** The publication of the template checked the manifest's head, which has no placeholders. */
const isManifest = (value: Json | undefined): value is Json & Manifest =>
  isObject(value) &&
  typeof value.apiVersion === "string" &&
  typeof value.kind === "string" &&
  isObject(value.metadata) &&
  typeof value.metadata.name === "string";

function textOf(value: string | { $parameter: string }, parameters: Values): string {
  const text = rendered(value, parameters);
  if (typeof text !== "string") throw new AppError("Internal", "a channel has no value");
  return text;
}
