import type { DatabaseSync } from "node:sqlite";
import { frozen } from "../../core/frozen.ts";
import { ChangeLog, remembered } from "./changes.ts";
import { type KubeObject, type ResourceKind, resourceName } from "./object.ts";
import { parseObject, type Row, Rows } from "./rows.ts";

/** Keys sort as (namespace, name), the order of lists. */
export interface ObjectKey {
  namespace: string;
  name: string;
}

const schema = `
  CREATE TABLE IF NOT EXISTS kube_clusters (
    cluster TEXT PRIMARY KEY, revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS kube_objects (
    cluster TEXT, resource TEXT, namespace TEXT, name TEXT, uid TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (cluster, resource, namespace, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS kube_objects_by_namespace ON kube_objects (cluster, namespace);
  CREATE TABLE IF NOT EXISTS kube_owners (
    cluster TEXT, owner TEXT, resource TEXT, namespace TEXT, name TEXT,
    PRIMARY KEY (cluster, resource, namespace, name, owner)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS kube_owners_by_owner ON kube_owners (cluster, owner);
`;

/**
 * The objects of one cluster in SQLite, its global revision, and its last changes. Every write is inside `transaction`;
 * listeners are called after the outermost one is stored.
 */
export class ObjectStore {
  /** The revision at which the store was opened. */
  readonly openedAt: number;
  readonly changes = new ChangeLog();
  readonly #database: DatabaseSync;
  readonly #rows: Rows;
  /** Cached objects, by kind and key, since operators read far more than they write. */
  readonly #known = new Map<string, KubeObject>();
  /** Cached lists of kinds in key order, until an object is created or removed. */
  readonly #listed = new Map<ResourceKind, KubeObject[]>();
  /** The global revision, stored once for each transaction. */
  #revision: number;
  #depth = 0;

  constructor(database: DatabaseSync, cluster: string) {
    this.#database = database;
    this.#rows = new Rows(database, cluster);
    database.exec(schema);

    this.#rows.run("INSERT OR IGNORE INTO kube_clusters VALUES (?, 0)");
    const sql = "SELECT revision FROM kube_clusters WHERE cluster = ?";
    this.#revision = Number(this.#rows.one(sql)?.revision);
    this.openedAt = this.#revision;
  }

  /** The revision of the last change. */
  get revision(): number {
    return this.#revision;
  }

  /** The revision up to which changes are not kept any more. */
  get compacted(): number {
    return Math.max(0, this.revision - remembered);
  }

  get(kind: ResourceKind, key: ObjectKey): KubeObject | undefined {
    const id = knownAs(kind, key);
    const known = this.#known.get(id);
    if (known) return known;
    const sql =
      "SELECT body FROM kube_objects WHERE cluster = ? AND resource = ? AND namespace = ? AND name = ?";
    const row = this.#rows.one(sql, resourceName(kind), key.namespace, key.name);
    if (!row) return undefined;
    const object = parseObject(row.body);
    this.#known.set(id, object);
    return object;
  }

  /** Lists objects in key order, after the key `after`; in all namespaces when `namespace` is absent. */
  list(kind: ResourceKind, namespace?: string, after?: ObjectKey): KubeObject[] {
    if (after) return this.#page(kind, namespace, after);
    const all = this.#listed.get(kind) ?? this.#page(kind, undefined, { namespace: "", name: "" });
    this.#listed.set(kind, all);
    return namespace === undefined
      ? [...all]
      : all.filter(({ metadata }) => (metadata.namespace ?? "") === namespace);
  }

  #page(kind: ResourceKind, namespace: string | undefined, after: ObjectKey): KubeObject[] {
    const sql = `SELECT namespace, name FROM kube_objects WHERE cluster = ? AND resource = ?
      AND (namespace, name) > (?, ?) ${namespace === undefined ? "" : "AND namespace = ?"}
      ORDER BY namespace, name`;
    const rows = this.#rows.all(
      sql,
      resourceName(kind),
      after.namespace,
      after.name,
      ...(namespace === undefined ? [] : [namespace]),
    );
    return rows
      .map((row) => this.get(kind, { namespace: String(row.namespace), name: String(row.name) }))
      .filter((object) => object !== undefined);
  }

  /** Updates `#listed` with a written object; a created or removed object discards its kind's list. */
  #relist(kind: ResourceKind, before: KubeObject | undefined, after?: KubeObject): void {
    const listed = before && after && this.#listed.get(kind);
    const at = listed?.findIndex(({ metadata }) => metadata.uid === after?.metadata.uid) ?? -1;
    if (listed && after && at >= 0) listed[at] = after;
    else this.#listed.delete(kind);
  }

  /** The group-qualified resources and keys of all objects in a namespace. */
  inNamespace(namespace: string): (ObjectKey & { resource: string })[] {
    const sql =
      "SELECT resource, namespace, name FROM kube_objects WHERE cluster = ? AND namespace = ?";
    return this.#rows.all(sql, namespace).map(resourceKey);
  }

  /** The objects that name `uid` in their ownerReferences. */
  ownedBy(uid: string): (ObjectKey & { resource: string })[] {
    const sql = "SELECT resource, namespace, name FROM kube_owners WHERE cluster = ? AND owner = ?";
    return this.#rows.all(sql, uid).map(resourceKey);
  }

  /** Stores the object with a new revision, and returns it. */
  put(kind: ResourceKind, object: KubeObject, before: KubeObject | undefined): KubeObject {
    const revision = this.#nextRevision();
    const stored = frozen({
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(revision) },
    });
    const { name, namespace = "", uid } = stored.metadata;
    this.#known.set(knownAs(kind, { name, namespace }), stored);
    this.#relist(kind, before, stored);
    const body = JSON.stringify(stored);
    this.#rows.run(
      "INSERT OR REPLACE INTO kube_objects (cluster, resource, namespace, name, uid, body) VALUES (?, ?, ?, ?, ?, ?)",
      resourceName(kind),
      namespace,
      name,
      uid,
      body,
    );
    if (before?.metadata.ownerReferences !== stored.metadata.ownerReferences)
      this.#setOwners(kind, stored);
    const event = { type: before ? "MODIFIED" : "ADDED", object: stored } as const;
    this.changes.record(revision, kind, event, before, body);
    return stored;
  }

  /** Removes the object; its DELETED event has the revision of the removal. */
  remove(kind: ResourceKind, object: KubeObject): KubeObject {
    const revision = this.#nextRevision();
    const { name, namespace = "" } = object.metadata;
    this.#known.delete(knownAs(kind, { name, namespace }));
    this.#relist(kind, object);
    this.#rows.run(
      "DELETE FROM kube_objects WHERE cluster = ? AND resource = ? AND namespace = ? AND name = ?",
      resourceName(kind),
      namespace,
      name,
    );
    const removed = frozen({
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(revision) },
    });
    this.#setOwners(kind, { ...removed, metadata: { ...removed.metadata, ownerReferences: [] } });
    this.changes.record(
      revision,
      kind,
      { type: "DELETED", object: removed },
      object,
      JSON.stringify(removed),
    );
    return removed;
  }

  /** Runs `work` and stores all of its writes, or none when it throws. May be nested. */
  transaction<T>(work: () => T): T {
    const savepoint = `kube_${this.#depth}`;
    const heldBefore = this.changes.pending;
    const revisionBefore = this.#revision;
    this.#rows.command(`SAVEPOINT ${savepoint}`);
    this.#depth += 1;
    let result: T;
    try {
      result = work();
      if (this.#depth === 1 && this.#revision !== revisionBefore)
        this.#rows.run("UPDATE kube_clusters SET revision = ?2 WHERE cluster = ?1", this.#revision);
    } catch (error) {
      // On a full disk SQLite has already rolled back.
      if (this.#database.isTransaction)
        this.#database.exec(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`);
      const hasWritten = this.#revision !== revisionBefore;
      this.changes.rollBack(heldBefore);
      this.#revision = revisionBefore;
      // The cache may contain objects of the transaction that was rolled back.
      if (hasWritten) {
        this.#known.clear();
        this.#listed.clear();
      }
      throw error;
    } finally {
      this.#depth -= 1;
    }
    this.#rows.command(`RELEASE ${savepoint}`);
    if (this.#depth === 0) this.changes.announce();
    return result;
  }

  #nextRevision(): number {
    this.#revision += 1;
    return this.#revision;
  }

  #setOwners(kind: ResourceKind, object: KubeObject): void {
    const { name, namespace = "", ownerReferences = [] } = object.metadata;
    const key = [resourceName(kind), namespace, name];
    this.#rows.run(
      "DELETE FROM kube_owners WHERE cluster = ? AND resource = ? AND namespace = ? AND name = ?",
      ...key,
    );
    for (const { uid } of ownerReferences) {
      this.#rows.run(
        "INSERT OR IGNORE INTO kube_owners (cluster, owner, resource, namespace, name) VALUES (?, ?, ?, ?, ?)",
        uid,
        ...key,
      );
    }
  }
}

const knownAs = (kind: ResourceKind, { namespace, name }: ObjectKey): string =>
  `${resourceName(kind)} ${namespace}/${name}`;

function resourceKey(row: Row): ObjectKey & { resource: string } {
  return {
    resource: String(row.resource),
    namespace: String(row.namespace),
    name: String(row.name),
  };
}
