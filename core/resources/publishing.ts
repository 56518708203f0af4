import { keptBriefly, type Publishing } from "../kernel/events/publish.ts";
import { wireForms } from "./generated/wire-forms.ts";
import { wakeWebhooks } from "./webhook/cursor.ts";

/** The dependencies of event publication in addition to `Deps`. */
export const publishing: Pick<Publishing, "wireForms" | "onLogged" | "mayBring"> = {
  wireForms,
  onLogged: wakeWebhooks,
  mayBring: keptBriefly,
};
