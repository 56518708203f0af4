import type { Clock } from "../../core/clock.ts";
import { applyFields } from "./apply.ts";
import { Deletion } from "./deletion.ts";
import { updatedMetadata } from "./metadata.ts";
import type { KubeInput, KubeObject, WatchEvent } from "./object.ts";
import type {
  ApplyOptions,
  ClusterOptions,
  DeleteOptions,
  ListOptions,
  WriteOptions,
} from "./options.ts";
import { isObject } from "./paths.ts";
import { KindRegistry } from "./registry.ts";
import { requireTyped } from "./schema.ts";
import { both, fieldSelector, labelSelector } from "./selectors.ts";
import { badRequest, conflict, invalid, notFound } from "./status.ts";
import { ObjectStore } from "./store.ts";
import { isInput, keyOf, requireVersion, uidMismatch, withoutStatus } from "./strategy.ts";
import { Writes } from "./writes.ts";

export type { KubeInput, KubeObject, ResourceKind, WatchEvent } from "./object.ts";
export type {
  ApplyOptions,
  ClusterOptions,
  DeleteOptions,
  ListOptions,
  WriteOptions,
} from "./options.ts";

/**
 * One simulated Kubernetes cluster, in process and synchronous. Objects are in SQLite: a write is stored before the
 * call returns, and a cluster continues when it is opened again. `kind` is the Kind string; where two groups have the
 * same Kind, `Kind.group`. Every refusal is a `KubeError` with the real server's Status object. Returned objects are
 * shared and frozen.
 */
export class KubeCluster {
  readonly name: string;
  readonly clock: Clock;
  /** For the HTTP API. */
  readonly kinds: KindRegistry;
  /** The read methods for the HTTP API; it writes by the methods of the cluster. */
  readonly store: ObjectStore;
  readonly #deletion: Deletion;
  readonly #writes: Writes;

  constructor(options: ClusterOptions) {
    const { database, name, kinds, clock, random = Math.random } = options;
    this.name = name;
    this.clock = clock;
    this.kinds = new KindRegistry(kinds);
    this.store = new ObjectStore(database, name);
    const { hasNamespaceController = false } = options;
    const { store } = this;
    // Kubernetes' metadata has no fractions of seconds.
    const now = () => new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
    this.#deletion = new Deletion(store, this.kinds, now, hasNamespaceController);
    this.#writes = new Writes({ store, kinds: this.kinds, deletion: this.#deletion, now, random });
    if (this.kinds.resource("namespaces")) {
      for (const system of ["default", "kube-system"]) this.#ensureNamespace(system);
    }
  }

  get(kind: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.store.get(this.kinds.named(kind), { namespace: namespace ?? "", name });
  }

  /** Lists objects, ordered by namespace and name. */
  list(kind: string, options: ListOptions = {}): KubeObject[] {
    const resource = this.kinds.named(kind);
    const labels = labelSelector(options.labelSelector);
    const selects = both(labels, fieldSelector(options.fieldSelector, resource));
    return this.store.list(resource, options.namespace).filter(selects);
  }

  /**
   * Creates an object as a client does: validated, 409 when it exists. `status` is stored only for kinds without the
   * subresource.
   */
  create(object: KubeInput, options: WriteOptions = {}): KubeObject {
    return this.store.transaction(() => {
      const kind = this.kinds.of(object);
      return this.#writes.create(kind, object, options);
    });
  }

  /** Server-side apply; creates an object that does not exist yet. */
  apply(object: KubeInput, options: ApplyOptions): KubeObject {
    return this.store.transaction(() => {
      const kind = this.kinds.of(object);
      const { name, uid, resourceVersion, managedFields } = object.metadata;
      if (!name) throw badRequest("name must be provided");
      if (managedFields) throw badRequest("metadata.managedFields must be nil");
      requireTyped(kind, object);
      const live = this.store.get(kind, keyOf({ ...object.metadata, name }));
      if (!live) {
        if (uid) throw conflict(kind, name, uidMismatch(uid, ""));
        if (options.subresource) throw notFound(kind, name);
        return this.#writes.createApplied(kind, object, options);
      }
      requireVersion(kind, live, { uid, resourceVersion });
      const applied = options.subresource ? object : withoutStatus(kind, object);
      const merged = applyFields(
        live,
        applied,
        this.#writes.writer(options),
        options.force ?? false,
      );
      return this.#writes.replace(kind, live, merged, options, () => merged.metadata.managedFields);
    });
  }

  /** Replaces the object; 409 when `metadata.resourceVersion` is not the stored one. */
  update(object: KubeInput, options: WriteOptions = {}): KubeObject {
    return this.store.transaction(() => {
      const kind = this.kinds.of(object);
      const key = keyOf({ name: "", ...object.metadata });
      const live = this.#writes.required(kind, key);
      const { resourceVersion } = object.metadata;
      if (!resourceVersion && !kind.builtIn) {
        const message = "Invalid value: 0x0: must be specified for an update";
        const field = "metadata.resourceVersion";
        throw invalid(kind, key.name, [{ reason: "FieldValueInvalid", field, message }]);
      }
      requireVersion(kind, live, object.metadata);
      return this.#writes.replace(kind, live, object, options);
    });
  }

  /** Replaces the object with the result of `change`, validated like any update. */
  patch(
    kind: string,
    namespace: string | undefined,
    name: string,
    change: (object: KubeObject) => unknown,
    options: WriteOptions = {},
  ): KubeObject {
    return this.store.transaction(() => {
      const resource = this.kinds.named(kind);
      const live = this.#writes.required(resource, { namespace: namespace ?? "", name });
      const changed = change(live);
      if (!isInput(changed)) throw badRequest("the patch leaves no object");
      if (changed.kind !== live.kind || changed.apiVersion !== live.apiVersion) {
        throw badRequest("the API version and kind in the data do not match the expected ones");
      }
      if (changed.metadata.name !== name) {
        throw badRequest(
          `the name of the object (${changed.metadata.name}) does not match the name on the URL (${name})`,
        );
      }
      requireVersion(resource, live, changed.metadata);
      return this.#writes.replace(resource, live, changed, options);
    });
  }

  /** For operators: replaces `status` with the result of `change`. */
  patchStatus(
    kind: string,
    namespace: string | undefined,
    name: string,
    change: (status: Record<string, unknown>, object: KubeObject) => Record<string, unknown>,
  ): KubeObject {
    return this.mutate(kind, namespace, name, (object) => {
      const status = isObject(object.status) ? object.status : {};
      return { ...object, status: change(status, object) };
    });
  }

  /** For operators: changes any part, unvalidated. An object in deletion ends with its last finalizer. */
  mutate(
    kind: string,
    namespace: string | undefined,
    name: string,
    change: (object: KubeObject) => KubeObject,
    options: WriteOptions = {},
  ): KubeObject {
    const resource = this.kinds.named(kind);
    const live = this.#writes.required(resource, { namespace: namespace ?? "", name });
    const changed = change(live);
    const metadata = updatedMetadata(live.metadata, changed.metadata);
    const next = this.#writes.tracked(live, { ...changed, metadata }, options);
    if (next === live) return live;
    return this.store.transaction(() => this.#writes.keep(resource, live, next));
  }

  /** Deletes an object. Returns its last state, with a deletionTimestamp while finalizers block the deletion. */
  delete(
    kind: string,
    namespace: string | undefined,
    name: string,
    options: DeleteOptions = {},
  ): KubeObject {
    return this.store.transaction(() => {
      const resource = this.kinds.named(kind);
      const live = this.#writes.required(resource, { namespace: namespace ?? "", name });
      requireVersion(resource, live, options);
      const policy = options.propagationPolicy ?? "Background";
      return this.#deletion.begin(resource, live, policy);
    });
  }

  /** Calls `listener` after each stored change of `kind` ("*": of all); a listener must not throw. */
  watch(kind: string, listener: (event: WatchEvent) => void): () => void {
    const only = kind === "*" ? undefined : this.kinds.named(kind);
    return this.store.changes.subscribe((stored) => {
      if (only && stored.kind !== only) return;
      listener(stored.event);
    });
  }

  /** Runs `work` and rolls back all its writes, for a dry run. */
  rehearse<T>(work: () => T): T {
    const outcome: { result?: T } = {};
    const undo = new Error("the rehearsal is over");
    try {
      this.store.transaction(() => {
        outcome.result = work();
        throw undo;
      });
    } catch (error) {
      if (error !== undo) throw error;
    }
    // Safe: `work` has returned, because its error would have been thrown.
    return outcome.result as T;
  }

  #ensureNamespace(name: string): void {
    if (this.get("Namespace", undefined, name)) return;
    this.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
}
