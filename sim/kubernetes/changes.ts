import type { KubeObject, ResourceKind, WatchEvent } from "./object.ts";
import { parseObject } from "./rows.ts";
import { selectableView } from "./selectors.ts";

/** A stored change, ordered by `revision`. */
export interface StoredEvent {
  revision: number;
  kind: ResourceKind;
  event: WatchEvent;
  /** The object before the change, if a selector may see a difference. */
  previous?: KubeObject;
}

/** The number of changes that a cluster keeps for watches. */
export const remembered = 2000;

/** A kept change: as JSON, which needs less memory than objects and is rarely read. */
interface Remembered {
  revision: number;
  kind: ResourceKind;
  type: WatchEvent["type"];
  body: string;
  previous: string | undefined;
}

/** The last changes of one cluster since it was opened, for watches; a watch cannot continue from before that. */
export class ChangeLog {
  readonly #listeners = new Set<(event: StoredEvent) => void>();
  /** The changes of the open transaction. */
  #pending: (StoredEvent & { body: string })[] = [];
  #history: Remembered[] = [];
  /** Stored changes that listeners have not received yet. */
  #outbox: StoredEvent[] = [];
  #announcing = false;

  /** The kept changes of a kind after a revision. */
  since(revision: number, kind: ResourceKind): StoredEvent[] {
    const first = this.#history.findLastIndex((one) => one.revision <= revision) + 1;
    return this.#history
      .slice(first)
      .filter((one) => one.kind === kind)
      .map((one) => ({
        revision: one.revision,
        kind,
        event: { type: one.type, object: parseObject(one.body) },
        ...(one.previous !== undefined && { previous: parseObject(one.previous) }),
      }));
  }

  subscribe(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records a change of the open transaction. `body` is the changed object. */
  record(
    revision: number,
    kind: ResourceKind,
    event: WatchEvent,
    before: KubeObject | undefined,
    body: string,
  ): void {
    const seen = before && selectableView(before, kind) !== selectableView(event.object, kind);
    const previous = event.type === "MODIFIED" && seen ? before : undefined;
    this.#pending.push({ revision, kind, event, body, ...(previous && { previous }) });
  }

  /** The number of changes in the open transaction. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Discards the changes of the open transaction after the first ones. */
  rollBack(first: number): void {
    this.#pending.length = first;
  }

  /**
   * Calls the listeners after the transaction is stored. Listeners may write: their changes are announced afterwards.
   */
  announce(): void {
    for (const change of this.#pending) {
      this.#remember(change);
      this.#outbox.push(change);
    }
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

  #remember({ revision, kind, event: { type }, previous, body }: StoredEvent & { body: string }) {
    const before = previous && JSON.stringify(previous);
    this.#history.push({ revision, kind, type, body, previous: before });
    // Trimmed in batches, because older changes are never read.
    if (this.#history.length >= remembered + 500) this.#history.splice(0, 500);
  }
}
