import {
  readSwitch,
  type SwitchName,
  setSwitch,
} from "../../core/kernel/request/maintenance-switch.ts";
import { switchSchema } from "../../core/kernel/request/switch-schema.ts";
import { emptyBody, prefixes, type Route, route } from "./route.ts";

/** The switches of the whole deployment. */

interface Words {
  noun: string;
  /** The description of each operation. */
  get: string;
  pause: string;
  resume: string;
}

const wordsOf = {
  removal: {
    noun: "the removal of orphans",
    get: "Whether the removal of orphans is paused.",
    pause: "Stops every removal of orphans.",
    resume: "Lets orphans be removed again, where hubs and sites allow it.",
  },
  intake: {
    noun: "the intake of tenant changes",
    get: "Whether the intake of tenants' changes is paused.",
    pause:
      "Accepts no changes by tenants, and no changes of clusters. Running operations continue.",
    resume: "Accepts tenants' changes again.",
  },
} satisfies Record<SwitchName, Words>;

export function switchRoutes(subject: SwitchName): Route[] {
  const words = wordsOf[subject];
  const path = `${prefixes.private}/${subject}`;
  const setting = (verb: "pause" | "resume"): Route =>
    route({
      area: "private",
      subject,
      verb,
      method: "POST",
      path: `${path}:${verb}`,
      summary: `${verb === "pause" ? "Pause" : "Resume"} ${words.noun}`,
      description: words[verb],
      body: emptyBody,
      response: () => switchSchema,
      handle: async ({ c, deps, caller }) =>
        c.json(await setSwitch(deps, subject, verb === "pause", caller.user)),
    });
  return [
    route({
      area: "private",
      subject,
      verb: "get",
      method: "GET",
      path,
      summary: `Show whether ${subject} is paused`,
      description: words.get,
      response: () => switchSchema,
      handle: async ({ c, deps }) => c.json(await readSwitch(deps.store, subject)),
    }),
    setting("pause"),
    setting("resume"),
  ];
}
