import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { isDiskFull } from "../../core/kernel/store/disk-full.ts";
import type { Json } from "../../core/kernel/store/store.ts";
import type { Database } from "./database.ts";
import { Interrupt, StateError } from "./errors.ts";
import type { NewEvent } from "./history.ts";
import { eventLimit } from "./limits.ts";

/** The last event of one branch of an execution, which the branch's next event refers to. */
export interface Trail {
  last: number;
}

interface Entry {
  value: Json;
  /** The branch's last event after this entry. */
  event: number;
}

const entryRow = z.object({ key: z.string(), value: z.string(), event: z.number() });
const lastRow = z.object({ last: z.number().nullable() });

/**
 * The acts and decisions of one execution, by keys that name their places in it. After a restart the execution is
 * walked through again from its start, and what is in the journal is not repeated. An entry and its events are written
 * in one transaction.
 */
export class Journal {
  readonly #database: Database;
  readonly #execution: string;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  #last: number;

  constructor(database: Database, execution: string, clock: Clock) {
    this.#database = database;
    this.#execution = execution;
    this.#clock = clock;
    const rows = database.all(
      entryRow,
      "SELECT key, value, event FROM journal WHERE execution = ?",
      execution,
    );
    for (const { key, value, event } of rows) {
      this.#entries.set(key, { value: JSON.parse(value), event });
    }
    const last = "SELECT max(id) AS last FROM events WHERE execution = ?";
    this.#last = database.get(lastRow, last, execution)?.last ?? 0;
  }

  /** Reads the value of `key`, and moves the trail to its position then; undefined when there is none. */
  read(trail: Trail, key: string): Json | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    trail.last = entry.event;
    return entry.value;
  }

  /**
   * Writes the value and its events; `also` is part of the transaction. On a full disk throws the `Interrupt` that
   * leaves the execution unfinished.
   */
  write(
    trail: Trail,
    key: string,
    value: Json,
    events: readonly NewEvent[],
    also: () => void = () => undefined,
  ): void {
    const before = this.#last;
    if (before + events.length > eventLimit) {
      const cause = `The execution reached the maximum number of history events (${eventLimit}).`;
      throw new StateError("States.Runtime", cause);
    }
    const event = this.#transaction(() => {
      also();
      const last = this.#append(trail.last, before, events);
      const text = JSON.stringify(value);
      const insert = "INSERT INTO journal (execution, key, value, event) VALUES (?, ?, ?, ?)";
      this.#database.run(insert, this.#execution, key, text, last);
      return last;
    });
    this.#last = before + events.length;
    this.#entries.set(key, { value, event });
    trail.last = event;
  }

  /** Ends the history with `event`, and deletes the journal, since the execution is not walked through again. */
  end(trail: Trail, event: NewEvent, also: () => void): void {
    this.#transaction(() => {
      also();
      this.#append(trail.last, this.#last, [event]);
      this.#database.run("DELETE FROM journal WHERE execution = ?", this.#execution);
    });
    this.#last += 1;
  }

  #transaction<T>(work: () => T): T {
    try {
      return this.#database.transaction(work);
    } catch (error) {
      throw isDiskFull(error) ? new Interrupt("not written") : error;
    }
  }

  /** Writes events after `previous`, numbered from `last`; returns the number of the last one. */
  #append(previous: number, last: number, events: readonly NewEvent[]): number {
    const timestamp = this.#clock.now() / 1000;
    let previousEventId = previous;
    let id = last;
    for (const event of events) {
      id += 1;
      const body = JSON.stringify({ timestamp, id, previousEventId, ...event });
      const insert = "INSERT INTO events (execution, id, body) VALUES (?, ?, ?)";
      this.#database.run(insert, this.#execution, id, body);
      previousEventId = id;
    }
    return previousEventId;
  }
}
