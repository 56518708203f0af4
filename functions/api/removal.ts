import * as z from "zod";
import { removalSwitch, setRemovalSwitch } from "../../core/feedback/removal.ts";
import { timeSchema } from "../../core/view/wire.ts";
import { prefixes } from "./collection.ts";
import { type Route, route } from "./route.ts";

/** The switch that stops every removal of what has no owner. */

const path = `${prefixes.private}/removal`;
const response = z.object({
  paused: z.boolean(),
  at: timeSchema.optional(),
  by: z.string().optional(),
});

const setting = (verb: "pause" | "resume", summary: string): Route =>
  route({
    area: "private",
    subject: "removal",
    verb,
    method: "POST",
    path: `${path}:${verb}`,
    summary,
    body: z.strictObject({}),
    response,
    handle: async ({ c, deps, caller }) =>
      c.json(await setRemovalSwitch(deps, verb === "pause", caller.user)),
  });

export const removalRoutes: Route[] = [
  route({
    area: "private",
    subject: "removal",
    verb: "get",
    method: "GET",
    path,
    summary: "Whether the removal of what has no owner is paused",
    response,
    handle: async ({ c, deps }) => c.json(await removalSwitch(deps.store)),
  }),
  setting("pause", "Stop every removal of what has no owner"),
  setting("resume", "Let what has no owner be removed again, where hubs and sites say so"),
];
