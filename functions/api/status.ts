import { statusSchema } from "../../core/reconcile/status/schema.ts";
import { statusOf } from "../../core/reconcile/status/status.ts";
import { prefixes, type Route, route } from "./route.ts";

/** The state of the whole deployment, for the provider. */
export const statusRoutes: Route[] = [
  route({
    area: "private",
    subject: "status",
    verb: "get",
    method: "GET",
    path: `${prefixes.private}/status`,
    summary: "Get the status",
    description:
      "The state of everything at once: what is under way, what waits for what, what needs an operator, what runs out next. Its cost depends on what is unfinished alone.",
    response: () => statusSchema,
    handle: async ({ c, deps }) => c.json(await statusOf(deps)),
  }),
];
