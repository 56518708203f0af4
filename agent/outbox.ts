import { type Clock, sleep } from "../core/clock.ts";
import { AppError, isKind } from "../core/error.ts";
import type { Log } from "../core/log.ts";
import { type Message, type News, newsLimit } from "../core/ports/hub/news.ts";
import { backoff } from "./backoff.ts";
import type { Journal, JournalEntry } from "./journal.ts";

/** Throws Rejected or Invalid if this message can never be accepted, and other errors if it may be later. */
export type Send = (message: Message) => Promise<void>;

/** The largest message that fits an event, in bytes of JSON. */
const maxBytes = 150_000;

export interface SendingOptions {
  send: Send;
  /**
   * The least time between the starts of two messages, in milliseconds of a clock: the first one is sent at
   * once, and reports within this time share the next. No pause by default.
   */
  apart?: { clock: Clock; ms: number };
  /** Times the pauses between attempts. */
  wall: Clock;
  random: () => number;
  log: Log;
  signal: AbortSignal;
}

/**
 * The queue of reports, in order. It is sent in batches, and each batch is repeated until it is accepted. A
 * newer report of an object replaces a waiting one, so that a long outage needs memory for each object only
 * once. With a journal, the queue survives the process.
 */
export class AgentOutbox {
  readonly #waiting = new Map<string, JournalEntry>();
  readonly #journal: Journal | undefined;
  /** Sent, but not accepted yet. */
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

  /** How many reports have not been accepted yet. */
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

  /** Resolves once everything has been accepted. */
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
    // Deleted first, so that the new report goes to the end of the queue.
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
   * Sends a message until it is accepted; false if the agent stops first. Splits a message that is refused,
   * and drops the parts that can never be accepted.
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
      // The sweep reads the hub itself, so Slipway learns of this change anyway.
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
