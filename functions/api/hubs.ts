import { drainPlanOf, drainPlanSchema } from "../../core/reconcile/drain-plan.ts";
import { reportRoutes } from "./reports.ts";
import { prefixes, type Route, route } from "./route.ts";

/** Routes of hubs besides the collection: the reports of the agent, and what a drain requires. */
export const hubRoutes: Route[] = [
  ...reportRoutes,
  route({
    area: "private",
    subject: "hub",
    verb: "plan",
    method: "GET",
    path: `${prefixes.private}/hubs/{id}/drain_plan`,
    summary: "Plan the draining of a hub",
    description:
      "The clusters and servers on a hub, and for each a hub of the region that has room, by the rules of placement. Nothing is reserved.",
    response: () => drainPlanSchema,
    handle: async (call) =>
      call.c.json(await drainPlanOf(call.deps, call.caller, call.param("id"))),
  }),
];
