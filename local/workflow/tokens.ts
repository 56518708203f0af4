import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "./database.ts";
import { ServiceError } from "./errors.ts";
import { json } from "./json.ts";
import { randomHex } from "./random.ts";

const failure = z.object({ error: z.string(), cause: z.string().optional() });
export const answerRecord = z.union([failure, z.object({ output: json })]);

/** The result of a task. */
export type Answer = z.infer<typeof answerRecord>;

const tokenRow = z.object({
  open: z.number(),
  deadline: z.number().nullable(),
  heartbeat: z.number().nullable(),
  beat_by: z.number().nullable(),
  answer: z.string().nullable(),
});

/**
 * Task tokens and their answers. An answer is stored before its sender is notified, whether or not the execution runs
 * in this process; the task reads it here.
 */
export class Tokens {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, () => void>();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Creates a token; `place` (execution and journal key) makes it unique. */
  make(place: string, random: () => number): string {
    return Buffer.from(`${randomHex(random, 16)}:${place}`).toString("base64");
  }

  /**
   * Opens a token. `deadline` is a time; `heartbeat` is the longest time without a heartbeat. Both are in milliseconds.
   */
  open(
    token: string,
    execution: string,
    deadline: number | undefined,
    heartbeat: number | undefined,
  ): void {
    const beatBy = heartbeat === undefined ? null : this.#clock.now() + heartbeat;
    this.#database.run(
      "INSERT INTO tokens (token, execution, open, deadline, heartbeat, beat_by) VALUES (?, ?, 1, ?, ?, ?)",
      token,
      execution,
      deadline ?? null,
      heartbeat ?? null,
      beatBy,
    );
  }

  /**
   * Answers a token. Throws `InvalidToken` for an unknown token, `TaskTimedOut` for one whose task has ended or timed
   * out.
   */
  answer(token: string, answer: Answer): void {
    this.#require(token);
    const update = "UPDATE tokens SET answer = ?, open = 0 WHERE token = ?";
    this.#database.run(update, JSON.stringify(answer), token);
    this.#waiting.get(token)?.();
  }

  /** Records a heartbeat. Throws like `answer`. */
  heartbeat(token: string): void {
    const { heartbeat } = this.#require(token);
    if (heartbeat === null) return;
    const beatBy = this.#clock.now() + heartbeat;
    this.#database.run("UPDATE tokens SET beat_by = ? WHERE token = ?", beatBy, token);
  }

  /** The deadline of the next heartbeat; undefined when none is required. */
  beatBy(token: string): number | undefined {
    return this.#find(token)?.beat_by ?? undefined;
  }

  /** The accepted answer, if any. */
  answerOf(token: string): Answer | undefined {
    const answer = this.#find(token)?.answer ?? undefined;
    return answer === undefined ? undefined : answerRecord.parse(JSON.parse(answer));
  }

  /** Calls `listener` when an answer arrives; the returned function unsubscribes. */
  listen(token: string, listener: () => void): () => void {
    this.#waiting.set(token, listener);
    return () => this.#waiting.delete(token);
  }

  close(token: string): void {
    this.#database.run("UPDATE tokens SET open = 0 WHERE token = ?", token);
  }

  closeAll(execution: string): void {
    this.#database.run("UPDATE tokens SET open = 0 WHERE execution = ? AND open = 1", execution);
  }

  #find(token: string): z.infer<typeof tokenRow> | undefined {
    const select = "SELECT open, deadline, heartbeat, beat_by, answer FROM tokens WHERE token = ?";
    return this.#database.get(tokenRow, select, token);
  }

  /** The token's row, if its task still waits. Compares the clock, since the timer of a deadline may fire late. */
  #require(token: string): z.infer<typeof tokenRow> {
    const row = this.#find(token);
    if (row === undefined) throw new ServiceError("InvalidToken", "Invalid Token: 'Invalid token'");
    const until = Math.min(row.deadline ?? Infinity, row.beat_by ?? Infinity);
    if (row.open === 0 || this.#clock.now() >= until) {
      throw new ServiceError(
        "TaskTimedOut",
        "Task Timed Out: 'Provided task does not exist anymore'",
      );
    }
    return row;
  }
}
