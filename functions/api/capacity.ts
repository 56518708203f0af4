import { capacityOf } from "../../core/reconcile/capacity.ts";
import { capacitySchema } from "../../core/reconcile/capacity-schema.ts";
import { prefixes, type Route, route } from "./route.ts";

/** Routes of the resources that orders use, for the provider. */
export const capacityRoutes: Route[] = [
  route({
    area: "private",
    subject: "capacity",
    verb: "get",
    method: "GET",
    path: `${prefixes.private}/capacity`,
    summary: "Show what runs out next",
    description: "The resources that run out next, and how many operations wait for them.",
    response: () => capacitySchema,
    handle: async ({ c, deps }) => c.json(await capacityOf(deps)),
  }),
];
