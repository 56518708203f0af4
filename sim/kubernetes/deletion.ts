import { type KubeObject, type OwnerReference, type ResourceKind, resourceName } from "./object.ts";
import type { KindRegistry } from "./registry.ts";
import type { ObjectKey, ObjectStore } from "./store.ts";

export type PropagationPolicy = "Background" | "Foreground" | "Orphan";

const foreground = "foregroundDeletion";

/**
 * The deletion of objects: finalizers block it, and owners and namespaces delete their objects. A real garbage
 * collector runs some time later; here its deletions are part of the same write, as are the namespace controller's
 * unless the cluster has one.
 */
export class Deletion {
  readonly #store: ObjectStore;
  readonly #kinds: KindRegistry;
  readonly #now: () => string;
  readonly #hasNamespaceController: boolean;

  constructor(
    store: ObjectStore,
    kinds: KindRegistry,
    now: () => string,
    hasNamespaceController: boolean,
  ) {
    this.#store = store;
    this.#kinds = kinds;
    this.#now = now;
    this.#hasNamespaceController = hasNamespaceController;
  }

  /** Starts the deletion of an object, and removes it unless a finalizer blocks that. Returns the remaining object. */
  begin(kind: ResourceKind, object: KubeObject, policy: PropagationPolicy): KubeObject {
    if (object.metadata.deletionTimestamp) return this.settle(kind, object, object);
    const dependents = this.#dependents(object);
    if (policy === "Orphan") {
      this.#forEach(dependents, (dependent) => this.#disown(dependent, object));
    }
    const waits = policy === "Foreground" && dependents.length > 0;
    const marked = this.#marked(kind, object, waits);
    const isHeld = (marked.metadata.finalizers ?? []).length > 0 || isNamespace(kind);
    if (!isHeld) return this.#finish(kind, marked);

    const stored = this.#store.put(kind, marked, object);
    if (waits) this.#forEach(dependents, (found) => this.#beginInBackground(found));
    if (isNamespace(kind)) {
      if (!this.#hasNamespaceController)
        this.#forEach(this.#contents(object), (found) => this.#beginInBackground(found));
      const current = this.#current(kind, stored);
      if (current) this.settle(kind, current, current);
    }
    // The answer is Terminating even without a finalizer.
    return stored;
  }

  /** Stores a changed object; removes it when it is in deletion and has no finalizer any more. */
  settle(kind: ResourceKind, object: KubeObject, before: KubeObject): KubeObject {
    const held =
      !object.metadata.deletionTimestamp ||
      (object.metadata.finalizers ?? []).length > 0 ||
      (isNamespace(kind) && this.#contents(object).length > 0);
    if (!held) return this.#finish(kind, object);
    return object === before ? object : this.#store.put(kind, object, before);
  }

  /** Deletes a new object whose owners do not exist any more. */
  collect(kind: ResourceKind, object: KubeObject): void {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.length > 0 && !owners.some((owner) => this.#exists(owner, object))) {
      this.begin(kind, object, "Background");
    }
  }

  #finish(kind: ResourceKind, object: KubeObject): KubeObject {
    const dependents = this.#dependents(object);
    const removed = this.#store.remove(kind, object);
    this.#forEach(dependents, (dependent) => this.#release(dependent));
    for (const owner of object.metadata.ownerReferences ?? []) this.#endForeground(owner, object);
    const namespaces = this.#kinds.resource("namespaces");
    const name = object.metadata.namespace;
    const namespace =
      namespaces && name ? this.#store.get(namespaces, { namespace: "", name }) : undefined;
    if (namespaces && namespace) this.settle(namespaces, namespace, namespace);
    return removed;
  }

  #marked(kind: ResourceKind, object: KubeObject, waits: boolean): KubeObject {
    const { metadata } = object;
    const { generation, finalizers = [] } = metadata;
    return {
      ...object,
      metadata: {
        ...metadata,
        ...(generation !== undefined && { generation: generation + 1 }),
        deletionTimestamp: this.#now(),
        deletionGracePeriodSeconds: 0,
        ...(waits && { finalizers: [...finalizers, foreground] }),
      },
      ...(isNamespace(kind) && { status: { phase: "Terminating" } }),
    };
  }

  /** Handles the removal of an owner of `dependent`: without another owner, it is deleted too. */
  #release({ kind, object }: Found): void {
    const owners = object.metadata.ownerReferences ?? [];
    const remaining = owners.filter((owner) => this.#exists(owner, object));
    if (remaining.length === 0) {
      this.begin(kind, object, "Background");
    } else if (remaining.length < owners.length) {
      const metadata = { ...object.metadata, ownerReferences: remaining };
      this.#store.put(kind, { ...object, metadata }, object);
    }
  }

  #disown({ kind, object }: Found, owner: KubeObject): void {
    const owners = object.metadata.ownerReferences ?? [];
    const remaining = owners.filter((reference) => reference.uid !== owner.metadata.uid);
    const { ownerReferences: _, ...metadata } = object.metadata;
    const kept = remaining.length > 0 ? { ownerReferences: remaining } : {};
    this.#store.put(kind, { ...object, metadata: { ...metadata, ...kept } }, object);
  }

  /** Removes an owner in foreground deletion after its last dependent. */
  #endForeground(reference: OwnerReference, dependent: KubeObject): void {
    const owner = this.#owner(reference, dependent);
    if (!owner || this.#dependents(owner.object).length > 0) return;
    const { kind, object } = owner;
    const held = object.metadata.finalizers ?? [];
    if (!held.includes(foreground)) return;
    const finalizers = held.filter((finalizer) => finalizer !== foreground);
    this.settle(kind, { ...object, metadata: { ...object.metadata, finalizers } }, object);
  }

  #exists(reference: OwnerReference, dependent: KubeObject): boolean {
    // The real collector cannot look up an owner of an unserved kind, and ignores the dependents.
    if (!this.#kinds.find(reference.apiVersion, reference.kind)) return true;
    return this.#owner(reference, dependent) !== undefined;
  }

  #owner(reference: OwnerReference, dependent: KubeObject): Found | undefined {
    const kind = this.#kinds.find(reference.apiVersion, reference.kind);
    if (!kind) return undefined;
    const namespace = kind.namespaced ? (dependent.metadata.namespace ?? "") : "";
    const object = this.#store.get(kind, { namespace, name: reference.name });
    return object?.metadata.uid === reference.uid ? { kind, object } : undefined;
  }

  #dependents(owner: KubeObject): Found[] {
    return this.#found(this.#store.ownedBy(owner.metadata.uid));
  }

  #contents(namespace: KubeObject): Found[] {
    return this.#found(this.#store.inNamespace(namespace.metadata.name));
  }

  #found(keys: (ObjectKey & { resource: string })[]): Found[] {
    return keys.flatMap(({ resource, ...key }) => {
      const kind = this.#kinds.resource(resource);
      const object = kind && this.#store.get(kind, key);
      return kind && object ? [{ kind, object }] : [];
    });
  }

  #beginInBackground({ kind, object }: Found): void {
    this.begin(kind, object, "Background");
  }

  /** Calls `act` with the current state of each object, except those that were deleted with an earlier one. */
  #forEach(found: Found[], act: (found: Found) => void): void {
    for (const { kind, object } of found) {
      const current = this.#current(kind, object);
      if (current) act({ kind, object: current });
    }
  }

  #current(kind: ResourceKind, object: KubeObject): KubeObject | undefined {
    const { name, namespace = "", uid } = object.metadata;
    const current = this.#store.get(kind, { namespace, name });
    return current?.metadata.uid === uid ? current : undefined;
  }
}

interface Found {
  kind: ResourceKind;
  object: KubeObject;
}

function isNamespace(kind: ResourceKind): boolean {
  return resourceName(kind) === "namespaces";
}
