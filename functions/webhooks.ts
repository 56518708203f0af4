import type { Deps } from "../core/deps.ts";
import { WebhookSender } from "../core/webhooks/send.ts";

/** Longest that one run starts on more webhooks, in milliseconds; those it is at may take as long again. */
const runTime = 60_000;

/** The webhooks' function: sends what is due, until nothing is. */
export function webhooks(deps: Deps): () => Promise<void> {
  return async () => {
    const sender = new WebhookSender(deps);
    const end = deps.wall.now() + runTime;
    while ((await sender.run()) > 0) {
      await sender.idle();
      if (deps.wall.now() >= end) return;
    }
  };
}
