import * as z from "zod";
import type { Database } from "./database.ts";
import { ServiceError } from "./errors.ts";
import type { Ended, HistoryEvent, NewEvent } from "./history.ts";

const statuses = ["RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED"] as const;
export type Status = (typeof statuses)[number];

const text = z.string().nullable();
const executionRow = z.object({
  id: z.number(),
  arn: z.string(),
  /** The state machine's ARN. */
  machine: z.string(),
  name: z.string(),
  /** The hash of the execution's definition. */
  definition: z.string(),
  /** The input as JSON text, unchanged. */
  input: z.string(),
  status: z.enum(statuses),
  /** The start, in milliseconds since the epoch. */
  started: z.number(),
  stopped: z.number().nullable(),
  output: text,
  error: text,
  cause: text,
});
export type Execution = z.infer<typeof executionRow>;

const columns =
  "id, arn, machine, name, definition, input, status, started, stopped, output, error, cause";
const arnRow = z.object({ arn: z.string() });
const bodyRow = z.object({ body: z.string() });

/** Executions, running and ended, and their histories. */
export class Executions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores a new, running execution with the first event of its history. */
  insert(
    execution: Pick<Execution, "arn" | "machine" | "name" | "definition" | "input" | "started">,
    event: NewEvent,
  ): void {
    const { arn, machine, name, definition, input, started } = execution;
    this.#database.transaction(() => {
      this.#database.run(
        `INSERT INTO executions (arn, machine, name, definition, input, started, status)
         VALUES (?, ?, ?, ?, ?, ?, 'RUNNING')`,
        arn,
        machine,
        name,
        definition,
        input,
        started,
      );
      const body = { timestamp: started / 1000, id: 1, previousEventId: 0, ...event };
      const insert = "INSERT INTO events (execution, id, body) VALUES (?, 1, ?)";
      this.#database.run(insert, arn, JSON.stringify(body));
    });
  }

  find(arn: string): Execution | undefined {
    const select = `SELECT ${columns} FROM executions WHERE arn = ?`;
    return this.#database.get(executionRow, select, arn);
  }

  /** An execution by its ARN. Throws `ExecutionDoesNotExist`. */
  get(arn: string): Execution {
    const execution = this.find(arn);
    if (execution !== undefined) return execution;
    throw new ServiceError("ExecutionDoesNotExist", `Execution Does Not Exist: '${arn}'`);
  }

  running(): Execution[] {
    const select = `SELECT ${columns} FROM executions WHERE status = 'RUNNING' ORDER BY id`;
    return this.#database.all(executionRow, select);
  }

  /** A machine's executions, newest first, starting after the one with the id `before`. */
  list(machine: string, status: Status | undefined, limit: number, before?: number): Execution[] {
    const from = before ?? Number.MAX_SAFE_INTEGER;
    if (status === undefined) {
      const select = `SELECT ${columns} FROM executions WHERE machine = ? AND id < ? ORDER BY id DESC LIMIT ?`;
      return this.#database.all(executionRow, select, machine, from, limit);
    }
    const select = `SELECT ${columns} FROM executions WHERE status = ? AND machine = ? AND id < ? ORDER BY id DESC LIMIT ?`;
    return this.#database.all(executionRow, select, status, machine, from, limit);
  }

  end(arn: string, ended: Ended, now: number): void {
    this.#database.run(
      "UPDATE executions SET status = ?, stopped = ?, output = ?, error = ?, cause = ? WHERE arn = ?",
      ended.status,
      now,
      ended.output ?? null,
      ended.error ?? null,
      ended.cause ?? null,
      arn,
    );
  }

  /**
   * Removes at most `limit` executions that ended before `time` (ms), with their histories and tokens, and returns
   * their number.
   */
  prune(time: number, limit: number): number {
    return this.#database.transaction(() => {
      const select =
        "SELECT arn FROM executions WHERE stopped < ? AND status <> 'RUNNING' ORDER BY stopped LIMIT ?";
      const ended = this.#database.all(arnRow, select, time, limit);
      for (const { arn } of ended) {
        this.#database.run("DELETE FROM events WHERE execution = ?", arn);
        this.#database.run("DELETE FROM tokens WHERE execution = ?", arn);
        this.#database.run("DELETE FROM executions WHERE arn = ?", arn);
      }
      return ended.length;
    });
  }

  /** The events after the one numbered `after`; when reversed, those before it, the newest first. */
  events(arn: string, limit: number, reverse: boolean, after?: number): HistoryEvent[] {
    const rows = reverse
      ? this.#database.all(
          bodyRow,
          "SELECT body FROM events WHERE execution = ? AND id < ? ORDER BY id DESC LIMIT ?",
          arn,
          after ?? Number.MAX_SAFE_INTEGER,
          limit,
        )
      : this.#database.all(
          bodyRow,
          "SELECT body FROM events WHERE execution = ? AND id > ? ORDER BY id LIMIT ?",
          arn,
          after ?? 0,
          limit,
        );
    return rows.map((row) => JSON.parse(row.body));
  }
}
