import * as z from "zod";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { load } from "../../core/kernel/object/records.ts";
import { isPlausibleId, notFound } from "../../core/kernel/request/caller.ts";
import { messageSchema } from "../../core/ports/hub/news.ts";
import { readBody } from "./body.ts";
import type { Call } from "./call.ts";
import { type Route, route } from "./route.ts";

/** Accepts the reports of hub agents that cannot reach the bus. */
export const reportRoutes: Route[] = [
  route({
    area: "private",
    subject: "hub",
    verb: "report",
    method: "POST",
    path: "/api/private/v1/hubs/{id}/reports",
    summary: "Report changes of a hub",
    description: "Takes changes on a hub from the hub's agent, whose token is bound to the hub.",
    body: messageSchema,
    example: { heartbeat: true, news: [] },
    response: () => z.strictObject({}),
    handle: takeAnswer,
  }),
];

/**
 * Accepts a report for the caller's own hub only. Any other hub is answered as not found, whether or not it exists.
 */
async function takeAnswer(call: Call): Promise<Response> {
  const { deps } = call;
  const hub = call.param("id");
  const known = hub === call.hub && isPlausibleId(hub) && (await load(deps, "hub", hub));
  if (!known) throw notFound(hub);
  // Reports have Kubernetes' spelling of members.
  const message = parseOrRefuse(messageSchema, await readBody(call.c.req));
  await deps.reports.take({ ...message, hub });
  return call.c.json({});
}
