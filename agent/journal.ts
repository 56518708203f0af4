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

/** A report with its position in the queue. */
export interface JournalEntry {
  n: number;
  news: News;
}

const lineSchema = z.union([
  z.object({ n: z.int().positive(), news: newsSchema }),
  /** Every entry up to this position has been delivered, or replaced by a later one. */
  z.object({ taken: z.int().positive() }),
]);

export interface JournalOptions {
  /** Created if it does not exist. Only one agent may use it at a time. */
  folder: string;
  /** Size in bytes beyond which the file is compacted. */
  limit: number;
  log: Log;
}

/**
 * The queue of reports in an append-only file, which survives the end of the process, even a crash. (A crash
 * of the machine may lose the end of the file; the first list reports those changes again.) If the disk
 * fails, the agent continues in memory and rewrites the file once the disk works.
 */
export class Journal {
  readonly #file: string;
  readonly #limit: number;
  readonly #log: Log;
  #descriptor: number | undefined;
  #size = 0;
  /**
   * The size of the file at which to compact it next: above the limit if one report for each object needs
   * more.
   */
  #full: number;
  #isWhole = false;

  /** Throws when the folder cannot be created or the file cannot be read. */
  constructor({ folder, limit, log }: JournalOptions) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#file = join(folder, "queue.jsonl");
    this.#limit = limit;
    this.#full = limit;
    this.#log = log;
  }

  /** Whether every waiting report is on disk. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The entries of an earlier process, in order. */
  left(): JournalEntry[] {
    const entries: JournalEntry[] = [];
    let taken = 0;
    let unreadable = 0;
    for (const text of this.#lines()) {
      const line = parsed(text);
      if (line === undefined) unreadable += 1;
      else if ("taken" in line) taken = line.taken;
      else entries.push(line);
    }
    if (unreadable > 0) this.#log.warn({ unreadable }, "lines of the queue are unreadable");
    return entries.filter(({ n }) => n > taken);
  }

  /** `all` is every waiting entry, including this one. */
  append(entry: JournalEntry, all: () => Iterable<JournalEntry>): void {
    this.#write(lineOf(entry), all);
  }

  /** Records that every entry up to `n` was delivered; `left` are the entries that still wait. */
  taken(n: number, left: () => Iterable<JournalEntry>): void {
    const isEmpty = left()[Symbol.iterator]().next().done === true;
    if (isEmpty) this.#attempt(() => this.#empty());
    else this.#write(`${JSON.stringify({ taken: n })}\n`, left);
  }

  /** Replaces the content of the file with `all`. */
  rewrite(all: Iterable<JournalEntry>): void {
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

  #write(line: string, all: () => Iterable<JournalEntry>): void {
    this.#attempt(() => {
      const size = this.#size + Buffer.byteLength(line);
      if (this.#descriptor === undefined || !this.#isWhole) return this.#replace(all());
      if (size > this.#full) return this.#compact(all());
      appendFileSync(this.#descriptor, line);
      this.#size = size;
    });
  }

  #compact(all: Iterable<JournalEntry>): void {
    const before = this.#size;
    const kept = this.#replace(all);
    const members = { bytes: before, kept, kept_bytes: this.#size };
    this.#log.warn(members, "the queue is full: only the newest report of each object is kept");
  }

  /** Writes a second file and renames it, so that a crash leaves either the old or the new one. */
  #replace(all: Iterable<JournalEntry>): number {
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
      this.#log.error(
        { error: String(error) },
        "the queue cannot be written: reports are in memory only",
      );
    }
  }
}

const lineOf = (entry: JournalEntry): string => `${JSON.stringify(entry)}\n`;

/** A write that was cut off leaves an incomplete last line, which cannot be parsed. */
function parsed(text: string): z.infer<typeof lineSchema> | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
