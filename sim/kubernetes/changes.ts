import type { DatabaseSync } from "node:sqlite";
import { type KubeObject, type ResourceKind, resourceName, type WatchEvent } from "./object.ts";
import { parseObject, type Rows } from "./rows.ts";
import { selectableView } from "./selectors.ts";

/** A stored change, in the order of `revision`. */
export interface StoredEvent {
  revision: number;
  kind: ResourceKind;
  event: WatchEvent;
  /** The object before the change, if a selector may see a difference. */
  previous?: KubeObject;
}

/** The number of changes that a cluster remembers for watches. */
export const remembered = 2000;

const schema = `
  CREATE TABLE IF NOT EXISTS kube_events (
    cluster TEXT, revision INTEGER, resource TEXT NOT NULL, type TEXT NOT NULL,
    body TEXT NOT NULL, previous TEXT,
    PRIMARY KEY (cluster, revision)
  ) STRICT, WITHOUT ROWID;
`;

/** The last changes of one cluster, for watches. */
export class ChangeLog {
  readonly #rows: Rows;
  readonly #listeners = new Set<(event: StoredEvent) => void>();
  /** Changes of the open transaction. */
  #pending: StoredEvent[] = [];
  /** Stored changes that were not announced to listeners yet. */
  #outbox: StoredEvent[] = [];
  #announcing = false;

  constructor(database: DatabaseSync, rows: Rows) {
    this.#rows = rows;
    database.exec(schema);
  }

  /** Remembered changes of a kind after a revision. */
  since(revision: number, kind: ResourceKind): StoredEvent[] {
    const sql = `SELECT revision, type, body, previous FROM kube_events
      WHERE cluster = ? AND revision > ? AND resource = ? ORDER BY revision`;
    return this.#rows.all(sql, revision, resourceName(kind)).map((row) => ({
      revision: Number(row.revision),
      kind,
      // The column holds what `record` wrote.
      event: { type: row.type as WatchEvent["type"], object: parseObject(row.body) },
      ...(row.previous !== null && { previous: parseObject(row.previous) }),
    }));
  }

  subscribe(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Writes a change of the open transaction. `body` is the changed object. */
  record(
    revision: number,
    kind: ResourceKind,
    event: WatchEvent,
    before: KubeObject | undefined,
    body: string,
  ): void {
    const seen = before && selectableView(before, kind) !== selectableView(event.object, kind);
    const previous = event.type === "MODIFIED" && seen ? before : undefined;
    this.#rows.run(
      "INSERT INTO kube_events (cluster, revision, resource, type, body, previous) VALUES (?, ?, ?, ?, ?, ?)",
      revision,
      resourceName(kind),
      event.type,
      body,
      previous ? JSON.stringify(previous) : null,
    );
    // Not with each change: what is older is not read.
    if (revision % 100 === 0)
      this.#rows.run(
        "DELETE FROM kube_events WHERE cluster = ? AND revision <= ?",
        revision - remembered,
      );
    this.#pending.push({ revision, kind, event, ...(previous && { previous }) });
  }

  /** How many changes the open transaction has made. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Forgets the changes of the open transaction but the first ones. */
  rollBack(first: number): void {
    this.#pending.length = first;
  }

  /** Once the transaction is stored: calls the listeners. They may write: the changes that they cause are announced afterwards. */
  announce(): void {
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
}
