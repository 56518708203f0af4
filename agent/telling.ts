import { type Clock, minutes, type Timer } from "../core/clock.ts";
import type { News } from "../core/ports/hub/news.ts";
import { newsIn } from "../core/resources/meaning.ts";

/**
 * How long a change of progress alone may wait. A report costs a message, a run of the observers and a write
 * of each record, and objects in progress change every few seconds.
 */
const progressEvery = minutes(2);

/**
 * Reports changing objects. A change that something depends on is reported at once; progress alone
 * is reported after a pause, for all objects together and only the newest state of each. Progress
 * that still waits when the agent stops is not reported: the next agent begins with a report of
 * every object.
 */
export class Telling {
  readonly #clock: Clock;
  readonly #report: (news: News) => void;
  /** The last report of each object. */
  readonly #told = new Map<string, News>();
  readonly #waiting = new Map<string, News>();
  #timer: Timer | undefined;

  constructor(clock: Clock, report: (news: News) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  /** Called for each change of an object, and for its deletion. */
  changed(news: News): void {
    const key = keyOf(news);
    const told = this.#told.get(key);
    this.#waiting.delete(key);
    const said = told ? newsIn(told, news) : "turn";
    if (said === "turn") this.#tell(key, news);
    if (said !== "progress") return;
    this.#waiting.set(key, news);
    this.#timer ??= this.#clock.after(progressEvery, () => this.#tellWaiting());
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #tellWaiting(): void {
    this.#timer = undefined;
    for (const [key, news] of this.#waiting) this.#tell(key, news);
    this.#waiting.clear();
  }

  #tell(key: string, news: News): void {
    if (news.deleted) this.#told.delete(key);
    else this.#told.set(key, news);
    this.#report(news);
  }
}

const keyOf = ({ kind, object: { metadata } }: News): string =>
  `${kind}/${metadata.namespace}/${metadata.name}`;
