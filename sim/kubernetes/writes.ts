import { applyFields, trackUpdate, type Writer } from "./apply.ts";
import type { Deletion } from "./deletion.ts";
import { newMetadata, updatedMetadata } from "./metadata.ts";
import type { KubeInput, KubeObject, ResourceKind } from "./object.ts";
import type { ApplyOptions, WriteOptions } from "./options.ts";
import { sameJson } from "./paths.ts";
import type { KindRegistry } from "./registry.ts";
import { alreadyExists, badRequest, forbidden, notFound } from "./status.ts";
import type { ObjectKey, ObjectStore } from "./store.ts";
import {
  desired,
  keyOf,
  validated,
  withoutManagers,
  withoutStatus,
  withStatusOf,
} from "./strategy.ts";

interface WritesOptions {
  store: ObjectStore;
  kinds: KindRegistry;
  deletion: Deletion;
  /** The present time, as metadata has it. */
  now(): string;
  random(): number;
}

/** The validation and storage of writes, which the verbs of `KubeCluster` share. */
export class Writes {
  readonly #store: ObjectStore;
  readonly #kinds: KindRegistry;
  readonly #deletion: Deletion;
  readonly #now: () => string;
  readonly #random: () => number;

  constructor({ store, kinds, deletion, now, random }: WritesOptions) {
    this.#store = store;
    this.#kinds = kinds;
    this.#deletion = deletion;
    this.#now = now;
    this.#random = random;
  }

  /** Stores a client's new object. */
  create(kind: ResourceKind, object: KubeInput, options: WriteOptions): KubeObject {
    const metadata = newMetadata(kind, object, this.#now(), this.#random);
    this.#requireNamespace(kind, metadata);
    const key = keyOf(metadata);
    if (this.#store.get(kind, key)) throw alreadyExists(kind, key.name);
    const created = { ...withoutStatus(kind, object), metadata };
    const valid = validated(kind, created, undefined, options);
    const stored = this.#store.put(kind, this.tracked(undefined, valid, options), undefined);
    this.#deletion.collect(kind, stored);
    return stored;
  }

  /** Stores a new object that was applied. */
  createApplied(kind: ResourceKind, object: KubeInput, options: ApplyOptions): KubeObject {
    const { resourceVersion: _, ...given } = object.metadata;
    const metadata = newMetadata(kind, { ...object, metadata: given }, this.#now(), this.#random);
    this.#requireNamespace(kind, metadata);
    const applied = withoutStatus(kind, object);
    const empty: KubeObject = { apiVersion: object.apiVersion, kind: object.kind, metadata };
    const { managedFields } = applyFields(empty, applied, this.writer(options), true).metadata;
    const valid = validated(kind, { ...applied, metadata }, undefined, options);
    const owned = { ...valid, metadata: { ...valid.metadata, managedFields } };
    const stored = this.#store.put(kind, owned, undefined);
    this.#deletion.collect(kind, stored);
    return stored;
  }

  /** Replaces a live object by a client's write. */
  replace(
    kind: ResourceKind,
    live: KubeObject,
    next: KubeInput,
    options: WriteOptions,
    managedFields?: () => KubeObject["metadata"]["managedFields"],
  ): KubeObject {
    const onlyStatus = options.subresource === "status";
    const kept = onlyStatus ? { ...live, status: next.status } : withStatusOf(kind, live, next);
    const metadata = updatedMetadata(live.metadata, kept.metadata);
    const valid = validated(kind, { ...kept, metadata }, live, options);
    const tracked = managedFields
      ? { ...valid, metadata: { ...valid.metadata, managedFields: managedFields() } }
      : this.tracked(live, valid, options);
    return this.keep(kind, live, tracked);
  }

  /** Stores a changed object; a write without changes keeps the resourceVersion. */
  keep(kind: ResourceKind, live: KubeObject, next: KubeObject): KubeObject {
    if (sameJson(live, next)) return live;
    const { generation } = live.metadata;
    const bumped =
      generation !== undefined && !sameJson(desired(kind, live), desired(kind, next))
        ? { ...next, metadata: { ...next.metadata, generation: generation + 1 } }
        : next;
    return this.#deletion.settle(kind, bumped, live);
  }

  /** The object with the fields that its manager owns after this write; the former one when nothing changes. */
  tracked(before: KubeObject | undefined, after: KubeObject, options: WriteOptions): KubeObject {
    if (before && sameJson(withoutManagers(before), withoutManagers(after))) return before;
    return trackUpdate(before, after, this.writer(options));
  }

  /** The writer, the time, and the written part of the object. */
  writer(options: WriteOptions): Writer {
    return {
      manager: options.fieldManager ?? "unknown",
      time: this.#now(),
      part: options.subresource ?? "main",
    };
  }

  /** The stored object; throws when there is none. */
  required(kind: ResourceKind, key: ObjectKey): KubeObject {
    const live = this.#store.get(kind, key);
    if (!live) throw notFound(kind, key.name);
    return live;
  }

  #requireNamespace(kind: ResourceKind, { name, namespace }: { name: string; namespace?: string }) {
    if (!kind.namespaced) return;
    if (!namespace) throw badRequest("an empty namespace may not be set during creation");
    const namespaces = this.#kinds.resource("namespaces");
    if (!namespaces) return;
    const found = this.required(namespaces, { namespace: "", name: namespace });
    if (!found.metadata.deletionTimestamp) return;
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    const message = `namespace ${namespace} is being terminated`;
    const cause = { reason: "NamespaceTerminating", message, field: "metadata.namespace" };
    throw forbidden(kind, name, why, [cause]);
  }
}
