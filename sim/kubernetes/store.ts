import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { type KubeObject, type ResourceKind, resourceName, type WatchEvent } from "./object.ts";
import { frozen } from "./paths.ts";
import { selectableView } from "./selectors.ts";

/** A stored change, in the order of `revision`. */
export interface StoredEvent {
  revision: number;
  kind: ResourceKind;
  event: WatchEvent;
  /** The object before the change, if a selector may see a difference. */
  previous?: KubeObject;
}

/** Keys sort as (namespace, name), the order of lists. */
export interface ObjectKey {
  namespace: string;
  name: string;
}

/** The number of changes that a cluster remembers for watches. */
const remembered = 2000;

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
  CREATE TABLE IF NOT EXISTS kube_events (
    cluster TEXT, revision INTEGER, resource TEXT NOT NULL, type TEXT NOT NULL,
    body TEXT NOT NULL, previous TEXT,
    PRIMARY KEY (cluster, revision)
  ) STRICT, WITHOUT ROWID;
`;

type Row = Record<string, SQLOutputValue>;

/**
 * The objects of one cluster in SQLite, its one global revision, and a ring of its last changes. Every
 * write happens inside `transaction`; listeners are called once the outermost one is stored.
 */
export class ObjectStore {
  /** The revision at which the store was opened. */
  readonly openedAt: number;
  readonly #database: DatabaseSync;
  readonly #cluster: string;
  readonly #statements = new Map<string, StatementSync>();
  readonly #listeners = new Set<(event: StoredEvent) => void>();
  /** Objects that were read since they were written, by their kind and key. Operators read far more than they write. */
  readonly #known = new Map<string, KubeObject>();
  /** All objects of a kind in key order, of the kinds that were listed since one came or went. */
  readonly #listed = new Map<ResourceKind, KubeObject[]>();
  /** Changes of the open transaction. */
  #pending: StoredEvent[] = [];
  /** Stored changes that were not announced to listeners yet. */
  #outbox: StoredEvent[] = [];
  #depth = 0;
  #announcing = false;

  constructor(database: DatabaseSync, cluster: string) {
    this.#database = database;
    this.#cluster = cluster;
    database.exec(schema);
    this.#run("INSERT OR IGNORE INTO kube_clusters VALUES (?, 0)");
    this.openedAt = this.revision;
  }

  /** The revision of the last change. */
  get revision(): number {
    return Number(this.#row("SELECT revision FROM kube_clusters WHERE cluster = ?")?.revision ?? 0);
  }

  /** The revision up to which changes are forgotten. */
  get compacted(): number {
    return Math.max(0, this.revision - remembered);
  }

  get(kind: ResourceKind, key: ObjectKey): KubeObject | undefined {
    const id = knownAs(kind, key);
    const known = this.#known.get(id);
    if (known) return known;
    const sql =
      "SELECT body FROM kube_objects WHERE cluster = ? AND resource = ? AND namespace = ? AND name = ?";
    const row = this.#row(sql, resourceName(kind), key.namespace, key.name);
    if (!row) return undefined;
    const object = parseObject(row.body);
    this.#known.set(id, object);
    return object;
  }

  /** Lists objects in key order, after the key `after`; of every namespace when `namespace` is absent. */
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
    const rows = this.#rows(
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

  /** Has `#listed` know a written object; one that came or went has its kind listed anew. */
  #relist(kind: ResourceKind, before: KubeObject | undefined, after?: KubeObject): void {
    const listed = before && after && this.#listed.get(kind);
    const at = listed?.findIndex(({ metadata }) => metadata.uid === after?.metadata.uid) ?? -1;
    if (listed && after && at >= 0) listed[at] = after;
    else this.#listed.delete(kind);
  }

  /** The group-qualified resource and key of everything in a namespace. */
  inNamespace(namespace: string): (ObjectKey & { resource: string })[] {
    const sql =
      "SELECT resource, namespace, name FROM kube_objects WHERE cluster = ? AND namespace = ?";
    return this.#rows(sql, namespace).map(resourceKey);
  }

  /** The objects that name `uid` in their ownerReferences. */
  ownedBy(uid: string): (ObjectKey & { resource: string })[] {
    const sql = "SELECT resource, namespace, name FROM kube_owners WHERE cluster = ? AND owner = ?";
    return this.#rows(sql, uid).map(resourceKey);
  }

  /** Stores the object under a new revision, which it answers with. */
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
    this.#run(
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
    this.#record(revision, kind, event, before, body);
    return stored;
  }

  /** Removes the object; the DELETED event carries it under the revision of its removal. */
  remove(kind: ResourceKind, object: KubeObject): KubeObject {
    const revision = this.#nextRevision();
    const { name, namespace = "" } = object.metadata;
    this.#known.delete(knownAs(kind, { name, namespace }));
    this.#relist(kind, object);
    this.#run(
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
    this.#record(
      revision,
      kind,
      { type: "DELETED", object: removed },
      object,
      JSON.stringify(removed),
    );
    return removed;
  }

  /** Remembered changes of a kind after a revision. */
  eventsSince(revision: number, kind: ResourceKind): StoredEvent[] {
    const sql = `SELECT revision, type, body, previous FROM kube_events
      WHERE cluster = ? AND revision > ? AND resource = ? ORDER BY revision`;
    return this.#rows(sql, revision, resourceName(kind)).map((row) => ({
      revision: Number(row.revision),
      kind,
      // The column holds what #record wrote.
      event: { type: row.type as WatchEvent["type"], object: parseObject(row.body) },
      ...(row.previous !== null && { previous: parseObject(row.previous) }),
    }));
  }

  subscribe(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs `work` and stores all of its writes, or none when it throws. May be nested. */
  transaction<T>(work: () => T): T {
    const savepoint = `kube_${this.#depth}`;
    const heldBefore = this.#pending.length;
    this.#statement(`SAVEPOINT ${savepoint}`).run();
    this.#depth += 1;
    let result: T;
    try {
      result = work();
    } catch (error) {
      // SQLite has rolled all back by itself when the disk is full.
      if (this.#database.isTransaction)
        this.#database.exec(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`);
      this.#pending.length = heldBefore;
      // Some of them were read as they no longer are.
      this.#known.clear();
      this.#listed.clear();
      throw error;
    } finally {
      this.#depth -= 1;
    }
    this.#statement(`RELEASE ${savepoint}`).run();
    if (this.#depth === 0) this.#announce();
    return result;
  }

  /** Calls the listeners. They may write: the changes that they cause are announced afterwards. */
  #announce(): void {
    this.#outbox.push(...this.#pending);
    this.#pending = [];
    if (this.#announcing) return;
    this.#announcing = true;
    try {
      for (let event = this.#outbox.shift(); event; event = this.#outbox.shift()) {
        for (const listener of [...this.#listeners]) listener(event);
      }
    } finally {
      this.#announcing = false;
    }
  }

  #nextRevision(): number {
    const sql =
      "UPDATE kube_clusters SET revision = revision + 1 WHERE cluster = ? RETURNING revision";
    return Number(this.#row(sql)?.revision);
  }

  #record(
    revision: number,
    kind: ResourceKind,
    event: WatchEvent,
    before: KubeObject | undefined,
    body: string,
  ): void {
    const seen = before && selectableView(before, kind) !== selectableView(event.object, kind);
    const previous = event.type === "MODIFIED" && seen ? before : undefined;
    this.#run(
      "INSERT INTO kube_events (cluster, revision, resource, type, body, previous) VALUES (?, ?, ?, ?, ?, ?)",
      revision,
      resourceName(kind),
      event.type,
      body,
      previous ? JSON.stringify(previous) : null,
    );
    // Not with each change: what is older is not read.
    if (revision % 100 === 0)
      this.#run(
        "DELETE FROM kube_events WHERE cluster = ? AND revision <= ?",
        revision - remembered,
      );
    this.#pending.push({ revision, kind, event, ...(previous && { previous }) });
  }

  #setOwners(kind: ResourceKind, object: KubeObject): void {
    const { name, namespace = "", ownerReferences = [] } = object.metadata;
    const key = [resourceName(kind), namespace, name];
    this.#run(
      "DELETE FROM kube_owners WHERE cluster = ? AND resource = ? AND namespace = ? AND name = ?",
      ...key,
    );
    for (const { uid } of ownerReferences) {
      this.#run(
        "INSERT OR IGNORE INTO kube_owners (cluster, owner, resource, namespace, name) VALUES (?, ?, ?, ?, ?)",
        uid,
        ...key,
      );
    }
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /** Runs a statement, whose first parameter is the cluster. */
  #run(sql: string, ...parameters: (string | number | null)[]): void {
    this.#statement(sql).run(this.#cluster, ...parameters);
  }

  #row(sql: string, ...parameters: (string | number)[]): Row | undefined {
    return this.#statement(sql).get(this.#cluster, ...parameters);
  }

  #rows(sql: string, ...parameters: (string | number)[]): Row[] {
    return this.#statement(sql).all(this.#cluster, ...parameters);
  }
}

const knownAs = (kind: ResourceKind, { namespace, name }: ObjectKey): string =>
  `${resourceName(kind)} ${namespace}/${name}`;

function parseObject(body: SQLOutputValue | undefined): KubeObject {
  // Only objects of this type were stored.
  return frozen(JSON.parse(String(body)) as KubeObject);
}

function resourceKey(row: Row): ObjectKey & { resource: string } {
  return {
    resource: String(row.resource),
    namespace: String(row.namespace),
    name: String(row.name),
  };
}
