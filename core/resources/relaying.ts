import type { Relaying } from "../kernel/relay/relay.ts";
import { wakeQueue } from "../placement/capacity-freed.ts";
import { queueDue } from "../webhooks/queue.ts";
import { reactions } from "./generated/reactions.ts";
import { wireForms } from "./generated/wire-forms.ts";

/** What the relay needs beside the world. */
export const relaying: Pick<Relaying, "wireForms" | "reactions" | "listeners"> = {
  wireForms,
  reactions,
  listeners: [wakeQueue, queueDue],
};
