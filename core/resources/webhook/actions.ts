import * as z from "zod";
import { beginning, positionPattern } from "../../kernel/events/position.ts";
import { isObject, type JsonObject } from "../../kernel/input/shape.ts";
import type { Action, Actions } from "../../kernel/request/action.ts";
import { updateObject } from "../../kernel/request/crud.ts";
import { replayWebhook, testWebhook } from "./ask.ts";
import { deliverySchema } from "./deliveries.ts";
import type { Webhook } from "./model.ts";
import { rules } from "./rules.ts";
import { newWebhookSecret } from "./signature.ts";
import { webhookView } from "./wire.ts";

/** The actions of a webhook's owner. */

/** The start of a replay in the tenant's log. */
const replaySchema = z
  .strictObject({
    position: z
      .string()
      .regex(positionPattern, "is not a position of the log")
      .optional()
      .describe("The `position` of the first event, from a delivery; `0` for the whole log."),
    time: z.iso
      .datetime()
      .optional()
      .describe("Instead of a position: the earliest time of an event."),
  })
  .refine(({ position, time }) => (position === undefined) !== (time === undefined), {
    path: ["position"],
    error: "is needed, or a time instead",
  });

const replay: Action<"webhook", z.output<typeof replaySchema>> = {
  summary: "Replay events",
  description:
    "Continues the webhook from a position in its tenant's log, or from a time. Events are sent again with the same ids.",
  schema: replaySchema,
  example: { position: "0" },
  destroys: false,
  takesVersion: false,
  answer: () =>
    z.object({
      from: z.string().describe("The position from which it continues."),
      to: z.string().describe("The last position in the log."),
    }),
  async carryOut({ deps, caller, id, input: { position, time } }) {
    // The schema requires a position if there is no time.
    const start = time === undefined ? { position: position ?? beginning } : { time };
    return { answer: await replayWebhook(deps, caller, id, start) };
  },
};

/** By the rule for secrets, the present one also signs for another day. */
const rotate: Action<"webhook"> = {
  summary: "Rotate a secret",
  description:
    "Gives the webhook a new secret, shown in this answer only. The old secret also signs for one more day.",
  path: "rotate_secret",
  command: "rotate-secret",
  destroys: false,
  async carryOut({ deps, caller, id, match }) {
    const secret = newWebhookSecret();
    const edit = {
      shown: (webhook: Webhook): JsonObject => JSON.parse(JSON.stringify(webhookView(webhook))),
      edited: (shown: JsonObject): JsonObject => {
        const spec = isObject(shown.spec) ? shown.spec : {};
        return { ...shown, spec: { ...spec, secret } };
      },
    };
    const accepted = await updateObject(deps, caller, rules, id, edit, match);
    return { ...accepted, revealed: { secret } };
  },
};

export const actions: Actions<"webhook"> = {
  replay,
  test: {
    summary: "Test a webhook",
    description:
      "Sends an event of type `slipway.webhook.test.v1` at once, and answers the result.",
    destroys: false,
    takesVersion: false,
    answer: () => deliverySchema,
    carryOut: async ({ deps, caller, id }) => ({ answer: await testWebhook(deps, caller, id) }),
  },
  rotate,
};
