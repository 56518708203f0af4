import { deliveriesFor } from "../../core/resources/webhook/ask.ts";
import { deliverySchema } from "../../core/resources/webhook/deliveries.ts";
import { pageSchema } from "./list/list.ts";
import { prefixes, type Route, route } from "./route.ts";

/** Routes of webhooks besides collection and actions: their deliveries. */
export const webhookRoutes: Route[] = [
  route({
    area: "public",
    subject: "webhook",
    verb: "deliveries",
    method: "GET",
    path: `${prefixes.public}/webhooks/{id}/deliveries`,
    summary: "List deliveries",
    description: "The last 100 of a webhook, the newest first.",
    response: () => pageSchema(deliverySchema),
    handle: async (call) => {
      const items = await deliveriesFor(call.deps, call.caller, call.param("id"));
      return call.c.json({ size: items.length, total: items.length, items });
    },
  }),
];
