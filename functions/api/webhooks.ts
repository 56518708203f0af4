import * as z from "zod";
import { beginning, positionPattern } from "../../core/kernel/events/position.ts";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { rotateSecret } from "../../core/resources/webhook/api.ts";
import { deliveriesFor, replayWebhook, testWebhook } from "../../core/resources/webhook/ask.ts";
import { deliverySchema } from "../../core/resources/webhook/deliveries.ts";
import { webhookSchema } from "../../core/resources/webhook/wire.ts";
import { acceptedAnswer } from "./answer.ts";
import type { Call } from "./call.ts";
import { pageSchema } from "./list/list.ts";
import { matchOf } from "./preconditions.ts";
import { emptyBody, prefixes, type Route, route } from "./route.ts";

/** Operations of webhooks besides the five verbs. */

const path = `${prefixes.public}/webhooks/{id}`;
const base = { area: "public", subject: "webhook" } as const;

/** Where in the tenant's log to begin. */
const replaySchema = z
  .strictObject({
    position: z
      .string()
      .regex(positionPattern, "is not a position of the log")
      .optional()
      .describe("With this event: the `position` of a delivery; `0` is all that the log keeps."),
    time: z.iso
      .datetime()
      .optional()
      .describe("Instead of a position: with the first event of this time or later."),
  })
  .refine(({ position, time }) => (position === undefined) !== (time === undefined), {
    path: ["position"],
    error: "is needed, or a time instead",
  });

export const webhookRoutes: Route[] = [
  route({
    ...base,
    verb: "deliveries",
    method: "GET",
    path: `${path}/deliveries`,
    summary: "List deliveries",
    description: "The last 100 of a webhook, the newest first.",
    response: () => pageSchema(deliverySchema),
    handle: async (call) => {
      const items = await deliveriesFor(call.deps, call.caller, call.param("id"));
      return call.c.json({ size: items.length, total: items.length, items });
    },
  }),
  route({
    ...base,
    verb: "replay",
    method: "POST",
    path: `${path}/replay`,
    summary: "Replay events",
    description:
      "The webhook continues from this position of its tenant's log, or from this time, before or after its own. Events come again with the same ids.",
    body: replaySchema,
    response: () =>
      z.object({
        from: z.string().describe("The position from which it continues."),
        to: z.string().describe("The last position that there is."),
      }),
    handle: replayAnswer,
  }),
  route({
    ...base,
    verb: "test",
    method: "POST",
    path: `${path}/test`,
    summary: "Test a webhook",
    description:
      "Sends an event of type `slipway.webhook.test.v1` at once, and answers the result.",
    body: emptyBody,
    response: () => deliverySchema,
    handle: async (call) =>
      call.c.json(await testWebhook(call.deps, call.caller, call.param("id"))),
  }),
  route({
    ...base,
    verb: "rotate",
    method: "POST",
    path: `${path}/rotate_secret`,
    summary: "Rotate a secret",
    description:
      "Gives the webhook a new secret, shown in this answer only. The old secret signs for another day.",
    body: emptyBody,
    headers: ["If-Match"],
    response: () => webhookSchema,
    handle: async (call) => {
      const { deps, caller } = call;
      return acceptedAnswer(
        call,
        await rotateSecret(deps, caller, call.param("id"), matchOf(call)),
      );
    },
  }),
];

async function replayAnswer(call: Call): Promise<Response> {
  const { position, time } = parseOrRefuse(replaySchema, await call.input(replaySchema));
  // Without a time there is a position, by the schema.
  const start = time === undefined ? { position: position ?? beginning } : { time };
  return call.c.json(await replayWebhook(call.deps, call.caller, call.param("id"), start));
}
