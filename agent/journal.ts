import {
  appendFileSync,
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Log } from "../core/log.ts";
import { type News, newsSchema } from "../core/ports/hub/news.ts";

/** News with its place in the queue. */
export interface Entry {
  n: number;
  news: News;
}

const lineSchema = z.union([
  z.object({ n: z.int().positive(), news: newsSchema }),
  /** Everything up to here has been taken, or replaced by what comes behind. */
  z.object({ taken: z.int().positive() }),
]);

export interface JournalOptions {
  /** Made when it is not there. One agent at a time may use it. */
  folder: string;
  /** The file is made small again when it would grow past this, in bytes. */
  limit: number;
  log: Log;
}

/**
 * What is still to be told, in a file that is only appended to: it outlives the process however it
 * ends. (What a crash of the whole machine may take from its end is told anew by the first list.)
 * When the disk fails, the agent goes on from memory, and the file is made whole once it can be.
 */
export class Journal {
  readonly #file: string;
  readonly #limit: number;
  readonly #log: Log;
  #descriptor: number | undefined;
  #size = 0;
  /** More than the limit where that cannot hold one news of each object. */
  #full: number;
  #isWhole = false;

  /** Throws when the folder cannot be made or the file not be read. */
  constructor({ folder, limit, log }: JournalOptions) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#file = join(folder, "queue.jsonl");
    this.#limit = limit;
    this.#full = limit;
    this.#log = log;
  }

  /** Whether everything that waits is on the disk. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** What an earlier process has left, in order. */
  left(): Entry[] {
    const entries: Entry[] = [];
    let taken = 0;
    let unreadable = 0;
    for (const text of this.#lines()) {
      const line = parsed(text);
      if (line === undefined) unreadable += 1;
      else if ("taken" in line) taken = line.taken;
      else entries.push(line);
    }
    if (unreadable > 0) this.#log.warn({ unreadable }, "lines of the queue cannot be read");
    return entries.filter(({ n }) => n > taken);
  }

  /** `all` is everything that waits, with the entry. */
  append(entry: Entry, all: () => Iterable<Entry>): void {
    this.#write(lineOf(entry), all);
  }

  /** Everything up to `n` has been taken; `left` is what still waits. */
  taken(n: number, left: () => Iterable<Entry>): void {
    const isEmpty = left()[Symbol.iterator]().next().done === true;
    if (isEmpty) this.#attempt(() => this.#empty());
    else this.#write(`${JSON.stringify({ taken: n })}\n`, left);
  }

  /** Has the file say `all` and nothing else. */
  rewrite(all: Iterable<Entry>): void {
    this.#attempt(() => this.#replace(all));
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #lines(): string[] {
    try {
      return readFileSync(this.#file, "utf8").split("\n").filter(Boolean);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
  }

  #write(line: string, all: () => Iterable<Entry>): void {
    this.#attempt(() => {
      const size = this.#size + Buffer.byteLength(line);
      if (this.#descriptor === undefined || !this.#isWhole) return this.#replace(all());
      if (size > this.#full) return this.#compact(all());
      appendFileSync(this.#descriptor, line);
      this.#size = size;
    });
  }

  #compact(all: Iterable<Entry>): void {
    const before = this.#size;
    const kept = this.#replace(all);
    const members = { bytes: before, kept, kept_bytes: this.#size };
    this.#log.warn(members, "the queue is full: only the newest news of each object is kept");
  }

  /** Aside and renamed, so that a crash leaves the one or the other. */
  #replace(all: Iterable<Entry>): number {
    const lines = Array.from(all, lineOf);
    const text = lines.join("");
    const descriptor = openSync(`${this.#file}.new`, "w", 0o600);
    try {
      appendFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(`${this.#file}.new`, this.#file);
    this.close();
    this.#descriptor = openSync(this.#file, "a", 0o600);
    this.#size = Buffer.byteLength(text);
    this.#full = Math.max(this.#limit, 2 * this.#size);
    return lines.length;
  }

  #empty(): void {
    if (this.#descriptor === undefined) {
      this.#replace([]);
      return;
    }
    ftruncateSync(this.#descriptor);
    this.#size = 0;
    this.#full = this.#limit;
  }

  #attempt(write: () => void): void {
    try {
      write();
      this.#isWhole = true;
    } catch (error) {
      this.#isWhole = false;
      this.#log.error({ error: String(error) }, "the queue cannot be written: news is in memory");
    }
  }
}

const lineOf = (entry: Entry): string => `${JSON.stringify(entry)}\n`;

/** The end of a write that was cut short is no line. */
function parsed(text: string): z.infer<typeof lineSchema> | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
