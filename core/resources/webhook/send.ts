import { seconds, timestamp } from "../../clock.ts";
import { logged } from "../../error.ts";
import { webhookDuePartitions } from "../../kernel/object/log-keys.ts";
import { cursorIn, type WebhookCursor } from "./cursor.ts";
import { deliverDue } from "./deliver.ts";
import type { PostDeps } from "./post.ts";

/** The number of webhooks that one process serves at a time; an unreachable receiver occupies its place for 10 s. */
const places = 40;
/** The limits of these places for one tenant, and for webhooks whose last try failed. */
const placesOfTenant = 4;
const placesOfFailing = 20;
/** How long a webhook rests after its delivery broke off; nothing was written then, so it is still due. */
const restTime = seconds(5);

interface Running {
  tenant: string;
  isFailing: boolean;
  done: Promise<void>;
}

/** Delivers due webhooks in parallel, so that a slow receiver delays only itself. */
export class WebhookSender {
  readonly #deps: PostDeps;
  readonly #running = new Map<string, Running>();
  /** By webhook, the end of the rest after a delivery that broke off. */
  readonly #resting = new Map<string, number>();
  #stopped = false;

  constructor(deps: PostDeps) {
    this.#deps = deps;
  }

  /** Starts all due webhooks that have a place, without waiting for their receivers; returns their number. */
  async run(): Promise<number> {
    let started = 0;
    const { store, clock } = this.#deps;
    const range = { to: `${timestamp(clock.now())}#~` };
    for (const pk of webhookDuePartitions()) {
      let cursor: string | undefined;
      do {
        const found = await store.query({ pk, index: "g2", range, ...(cursor ? { cursor } : {}) });
        for (const item of found.items) if (this.#start(cursorIn(item))) started++;
        cursor = found.cursor;
      } while (cursor !== undefined && this.#running.size < places);
    }
    return started;
  }

  /** Resolves when no delivery is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0)
      await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Starts no more deliveries. The next process repeats those that are running. */
  stop(): void {
    this.#stopped = true;
  }

  #start(cursor: WebhookCursor): boolean {
    const { webhook, tenant, trying } = cursor;
    const isFailing = trying !== undefined;
    const isBusy = this.#running.has(webhook) || this.#rests(webhook);
    if (this.#stopped || isBusy || !this.#hasPlace(tenant, isFailing)) return false;
    const done = deliverDue(this.#deps, cursor)
      .catch((thrown) => {
        this.#deps.log.warn({ webhook, ...logged(thrown) }, "a delivery broke off");
        this.#resting.set(webhook, this.#deps.clock.now() + restTime);
      })
      .finally(() => this.#running.delete(webhook));
    this.#running.set(webhook, { tenant, isFailing, done });
    return true;
  }

  #rests(webhook: string): boolean {
    const until = this.#resting.get(webhook);
    if (until !== undefined && this.#deps.clock.now() < until) return true;
    this.#resting.delete(webhook);
    return false;
  }

  #hasPlace(tenant: string, isFailing: boolean): boolean {
    const running = [...this.#running.values()];
    const ofTenant = running.filter((each) => each.tenant === tenant).length;
    const failing = running.filter((each) => each.isFailing).length;
    if (isFailing && failing >= placesOfFailing) return false;
    return running.length < places && ofTenant < placesOfTenant;
  }
}
