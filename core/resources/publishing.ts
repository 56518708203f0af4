import type { Publishing } from "../kernel/events/publish.ts";
import { wireForms } from "./generated/wire-forms.ts";
import { wakeWebhooks } from "./webhook/cursor.ts";

/** What publishing events needs beside the world. */
export const publishing: Pick<Publishing, "wireForms" | "onLogged"> = {
  wireForms,
  onLogged: wakeWebhooks,
};
