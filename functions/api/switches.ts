import * as z from "zod";
import { AppError } from "../../core/error.ts";
import type { Store } from "../../core/store/store.ts";
import { readSwitch, type SwitchName, setSwitch } from "../../core/switch.ts";
import { timeSchema } from "../../core/view/wire.ts";
import { prefixes } from "./collection.ts";
import { emptyBody, type Route, route } from "./route.ts";

/** The switches of the whole deployment. */

export const switchSchema = z.object({
  paused: z.boolean().describe("Whether it is paused."),
  at: timeSchema.optional().describe("When it was last paused or resumed."),
  by: z.string().optional().describe("The user who did."),
});

interface Words {
  noun: string;
  /** What each of them is or does. */
  get: string;
  pause: string;
  resume: string;
}

function switchRoutes(subject: SwitchName, words: Words): Route[] {
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
      response: switchSchema,
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
      summary: `Get ${words.noun}`,
      description: words.get,
      response: switchSchema,
      handle: async ({ c, deps }) => c.json(await readSwitch(deps.store, subject)),
    }),
    setting("pause"),
    setting("resume"),
  ];
}

export const allSwitchRoutes: Route[] = [
  ...switchRoutes("removal", {
    noun: "the removal",
    get: "Whether the removal of what has no owner is paused.",
    pause: "Stops every removal of what has no owner.",
    resume: "Lets what has no owner be removed again, where hubs and sites say so.",
  }),
  ...switchRoutes("intake", {
    noun: "the intake",
    get: "Whether what tenants ask for is not taken in.",
    pause:
      "Takes in nothing that tenants ask for, nor changes of clusters. What is under way goes on.",
    resume: "Takes in again what tenants ask for.",
  }),
];

/** Whether a request is one that waits while intake is paused. */
export const isTakenIn = ({
  area,
  subject,
  method,
}: Pick<Route, "area" | "subject" | "method">): boolean =>
  method !== "GET" && (area === "public" || subject === "cluster");

/** While intake is paused, tenants change nothing, and nobody changes clusters. Throws Unavailable. */
export async function refusePaused(
  store: Store,
  route: Pick<Route, "area" | "subject" | "method">,
): Promise<void> {
  if (!isTakenIn(route)) return;
  if (!(await readSwitch(store, "intake")).paused) return;
  throw new AppError("Unavailable", "nothing is taken in at the moment; ask again later");
}
