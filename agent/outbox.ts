import { type Clock, sleep } from "../core/clock.ts";
import type { News, Report } from "../core/hub/news.ts";
import type { Log } from "../core/log.ts";
import { backoff } from "./backoff.ts";

/** What a hub says; who says it is fixed by the channel. */
export type Message = Omit<Report, "hub">;
export type Send = (message: Message) => Promise<void>;

/** Limits of one message, so that it fits an event. */
const maxNews = 100;
const maxCharacters = 150_000;

export interface SendingOptions {
  send: Send;
  /** Times the pauses between tries. */
  wall: Clock;
  random: () => number;
  log: Log;
  signal: AbortSignal;
}

/**
 * What is still to be told, in order. It goes out in batches, each again and again until it is
 * taken. A newer state of an object replaces one that still waits here, so a long outage costs no
 * more memory than there are objects.
 */
export class Outbox {
  readonly #waiting = new Map<string, News>();
  #heartbeat = false;
  #wake: () => void = () => {};

  add(news: News): void {
    const { namespace, name, uid } = news.object.metadata;
    const key = `${news.kind}/${namespace}/${name}/${uid}`;
    // Behind what has come in between.
    this.#waiting.delete(key);
    this.#waiting.set(key, news);
    this.#wake();
  }

  beat(): void {
    this.#heartbeat = true;
    this.#wake();
  }

  /** Sends until the signal is aborted. */
  async run(options: SendingOptions): Promise<void> {
    const { signal } = options;
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    while (!signal.aborted) {
      const message = this.#next();
      await (message ? deliver(message, options) : this.#more());
    }
  }

  #next(): Message | undefined {
    const news: News[] = [];
    let characters = 0;
    for (const [key, one] of this.#waiting) {
      characters += JSON.stringify(one).length;
      if (news.length === maxNews || (news.length > 0 && characters > maxCharacters)) break;
      news.push(one);
      this.#waiting.delete(key);
    }
    const heartbeat = this.#heartbeat;
    this.#heartbeat = false;
    return heartbeat || news.length > 0 ? { heartbeat, news } : undefined;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

async function deliver(message: Message, options: SendingOptions): Promise<void> {
  const { send, wall, random, log, signal } = options;
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      await send(message);
      return;
    } catch (error) {
      log.warn({ error: String(error), failures, news: message.news.length }, "report not taken");
      // Rejects only when the agent stops, which ends the loop.
      await sleep(wall, backoff(failures + 1, random), signal).catch(() => {});
    }
  }
}
