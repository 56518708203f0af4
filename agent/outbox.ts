import { type Clock, sleep } from "../core/clock.ts";
import { AppError, isKind } from "../core/error.ts";
import type { Log } from "../core/log.ts";
import { type Message, type News, newsLimit } from "../core/ports/hub/news.ts";
import { backoff } from "./backoff.ts";
import type { Journal, JournalEntry } from "./journal.ts";

/**
 * Throws Rejected or Invalid if this message will never be taken, and anything else if it may be
 * later.
 */
export type Send = (message: Message) => Promise<void>;

/** The largest message that fits an event, in bytes of JSON. */
const maxBytes = 150_000;

export interface SendingOptions {
  send: Send;
  /**
   * How far apart messages begin, in milliseconds of a clock: the first goes at once, and what comes
   * within this time after it goes together. No pause unless given.
   */
  apart?: { clock: Clock; ms: number };
  /** Times the pauses between tries. */
  wall: Clock;
  random: () => number;
  log: Log;
  signal: AbortSignal;
}

/**
 * The queue of reports, in order. It goes out in batches; each batch is sent until it is taken. A
 * newer state of an object replaces a waiting one, so a long outage needs no more memory than there
 * are objects. With a journal, the queue outlives the process.
 */
export class AgentOutbox {
  readonly #waiting = new Map<string, JournalEntry>();
  readonly #journal: Journal | undefined;
  /** Sent, and not taken yet. */
  #sending: JournalEntry[] = [];
  #last = 0;
  #heartbeat = false;
  #isFailing = false;
  #wake: () => void = () => {};
  #whenEmpty: (() => void)[] = [];

  constructor(journal?: Journal) {
    this.#journal = journal;
    if (!journal) return;
    for (const entry of journal.left()) this.#put(entry);
    journal.rewrite(this.#all());
  }

  /** How many reports have not been taken yet. */
  get size(): number {
    return this.#sending.length + this.#waiting.size;
  }

  /** Whether the last attempt to send failed. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  add(news: News): void {
    const entry = { n: this.#last + 1, news };
    this.#put(entry);
    this.#journal?.append(entry, () => this.#all());
    this.#wake();
  }

  beat(): void {
    this.#heartbeat = true;
    this.#wake();
  }

  /** Sends until the signal is aborted. */
  async run(options: SendingOptions): Promise<void> {
    const { signal, apart } = options;
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    while (!signal.aborted) {
      const message = this.#next();
      if (!message) {
        await this.#more();
        continue;
      }
      const next = apart && apart.clock.now() + apart.ms;
      if (await this.#deliver(message, options)) this.#taken();
      // Rejects only when the agent stops, which ends the loop.
      if (apart && next !== undefined && next > apart.clock.now())
        await sleep(apart.clock, next - apart.clock.now(), signal).catch(() => {});
    }
  }

  /** Resolves once everything has been taken. */
  emptied(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenEmpty.push(resolve);
      this.#wake();
    });
  }

  #put(entry: JournalEntry): void {
    const { kind, object } = entry.news;
    const { namespace, name, uid } = object.metadata;
    const key = `${kind}/${namespace}/${name}/${uid}`;
    // Deleted first, so that the new state goes to the end of the queue.
    this.#waiting.delete(key);
    this.#waiting.set(key, entry);
    this.#last = entry.n;
  }

  #next(): Message | undefined {
    let bytes = 0;
    for (const [key, entry] of this.#waiting) {
      bytes += Buffer.byteLength(JSON.stringify(entry.news));
      const { length } = this.#sending;
      if (length === newsLimit || (length > 0 && bytes > maxBytes)) break;
      this.#sending.push(entry);
      this.#waiting.delete(key);
    }
    const heartbeat = this.#heartbeat;
    this.#heartbeat = false;
    const news = this.#sending.map((entry) => entry.news);
    return heartbeat || news.length > 0 ? { heartbeat, news } : undefined;
  }

  /**
   * False when the agent ended first. Leaves out a message that will never be taken, piece by
   * piece.
   */
  async #deliver(message: Message, options: SendingOptions): Promise<boolean> {
    const { send, wall, random, log, signal } = options;
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        await send(message);
        this.#isFailing = false;
        return true;
      } catch (error) {
        if (isKind(error, "Rejected") || isKind(error, "Invalid"))
          return this.#deliverInPieces(message, error, options);
        this.#isFailing = true;
        const members = { ...wordsOf(error), failures, waiting: this.size };
        log.warn(members, "a report was not accepted");
        // Rejects only when the agent stops, which ends the loop.
        await sleep(wall, backoff(failures + 1, random), signal).catch(() => {});
      }
    }
    return false;
  }

  async #deliverInPieces(
    { heartbeat, news }: Message,
    error: AppError,
    options: SendingOptions,
  ): Promise<boolean> {
    if (news.length <= 1) {
      const { kind, object } = news[0] ?? {};
      const members = { ...wordsOf(error), kind, name: object?.metadata.name };
      // The sweep reads the hub itself, so home learns of this change anyway.
      options.log.error(members, "a report was refused and dropped");
      return true;
    }
    const half = Math.ceil(news.length / 2);
    return (
      (await this.#deliver({ heartbeat, news: news.slice(0, half) }, options)) &&
      (await this.#deliver({ heartbeat: false, news: news.slice(half) }, options))
    );
  }

  #taken(): void {
    const last = this.#sending.at(-1);
    this.#sending = [];
    if (last) this.#journal?.taken(last.n, () => this.#waiting.values());
  }

  *#all(): Generator<JournalEntry> {
    yield* this.#sending;
    yield* this.#waiting.values();
  }

  #more(): Promise<void> {
    for (const resolve of this.#whenEmpty.splice(0)) resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function wordsOf(error: unknown): { error: string; detail?: string } {
  const detail = error instanceof AppError ? error.detail : undefined;
  return { error: String(error), ...(detail !== undefined && { detail }) };
}
