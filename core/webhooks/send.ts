import { timestamp } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { toAppError } from "../error.ts";
import { webhookDuePartitions } from "../kernel/object/keys.ts";
import { cursorIn, type WebhookCursor } from "./cursor.ts";
import { deliverDue } from "./deliver.ts";

/** Webhooks that one process sends to at the same time; a dead receiver holds its place for 10 s. */
const places = 40;
/** Of these, how many a tenant may take, and how many those whose last try failed. */
const placesOfTenant = 4;
const placesOfFailing = 20;

interface Running {
  tenant: string;
  isFailing: boolean;
  done: Promise<void>;
}

/** Sends what is due to webhooks, several at a time, so that a slow receiver holds up only itself. */
export class WebhookSender {
  readonly #deps: Deps;
  readonly #running = new Map<string, Running>();
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Starts on all that are due and have a place, and answers how many; does not wait for their receivers. */
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

  /** Resolves when nothing is on its way any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0)
      await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Starts nothing more. What is on its way is sent again by the next process. */
  stop(): void {
    this.#stopped = true;
  }

  #start(cursor: WebhookCursor): boolean {
    const { webhook, tenant, trying } = cursor;
    const isFailing = trying !== undefined;
    if (this.#stopped || this.#running.has(webhook) || !this.#hasPlace(tenant, isFailing))
      return false;
    const done = deliverDue(this.#deps, cursor)
      .catch((thrown) => {
        const { kind, message, detail } = toAppError(thrown);
        this.#deps.log.warn({ webhook, kind, detail: detail ?? message }, "a delivery broke off");
      })
      .finally(() => this.#running.delete(webhook));
    this.#running.set(webhook, { tenant, isFailing, done });
    return true;
  }

  #hasPlace(tenant: string, isFailing: boolean): boolean {
    const running = [...this.#running.values()];
    const ofTenant = running.filter((each) => each.tenant === tenant).length;
    const failing = running.filter((each) => each.isFailing).length;
    if (isFailing && failing >= placesOfFailing) return false;
    return running.length < places && ofTenant < placesOfTenant;
  }
}
