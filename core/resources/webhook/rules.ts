import * as z from "zod";
import { hours, timestamp } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import { atTime } from "../../kernel/events/position.ts";
import { neverAnswered } from "../../kernel/input/text.ts";
import { countKey } from "../../kernel/object/keys.ts";
import { webhookCursorKey } from "../../kernel/object/log-keys.ts";
import { masked } from "../../kernel/object/wire.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import { newCursor } from "./cursor.ts";
import { mostWebhooks, type Webhook, webhookSecretsSchema, webhookSpecSchema } from "./model.ts";
import { isWebhookSecret, newWebhookSecret } from "./signature.ts";

/**
 * The rules for webhooks of tenants. If a request has no secret, Slipway generates one, and only the answer to that
 * request shows it.
 */

/** How long the previous secret also signs. */
const overlap = hours(24);

const schema = inputSchema(
  z.strictObject({
    url: webhookSpecSchema.shape.url,
    event_types: webhookSpecSchema.shape.event_types
      .optional()
      .describe("Event types that it wants, such as `slipway.cluster.*`; empty means all."),
    enabled: webhookSpecSchema.shape.enabled
      .optional()
      .describe("Whether it is sent events; true by default."),
    secret: z
      .string()
      .refine((text) => text === masked || isWebhookSecret(text), {
        error: "must be whsec_ and a key of 24 to 64 bytes in base64",
      })
      .optional()
      .describe(
        "`whsec_` and a key of 24 to 64 bytes in base64; Slipway makes one where it is left out. A new one takes the place of the current, which signs too for another day.",
      )
      .meta(neverAnswered),
    former_secret_expires: z
      .unknown()
      .optional()
      .describe("Written by Slipway; what is sent is ignored."),
  }),
);
type Input = z.output<typeof schema>;

export const rules: Definition<"webhook", Input> = {
  kind: "webhook",
  schema,
  tenant: "caller",
  async build(request) {
    const { deps, id, tenant, input, before, violations } = request;
    const refusal = await deps.webhooks.refusal(input.spec.url);
    if (refusal !== undefined) violations.push({ field: "spec.url", message: refusal });
    if (!before) await refuseTooMany(request);
    const { secret, former_secret_expires: _, ...given } = input.spec;
    const spec = { ...given, event_types: given.event_types ?? [], enabled: given.enabled ?? true };
    if (before && !isGiven(secret)) return { spec: { ...before.spec, ...spec }, status: {} };
    const current = isGiven(secret) ? secret : newWebhookSecret();
    const former = before && (await currentSecretOf(deps, before));
    const reference = `${secretReference.webhook(id)}/${deps.newId()}`;
    const expires = timestamp(deps.clock.now() + overlap);
    return {
      spec: {
        ...spec,
        secrets: reference,
        ...(former === undefined ? {} : { former_secret_expires: expires }),
      },
      status: {},
      secret: { reference, value: JSON.stringify({ current, former }) },
      ...(current === secret ? {} : { revealed: { secret: current } }),
      ...(before ? {} : { writes: [newCursor(tenant, id, atTime(deps.logTime.settled()))] }),
    };
  },
  async revealedBy(deps, webhook, { spec }) {
    if (isGiven(spec.secret)) return undefined;
    // The secret does not exist if it was replaced since, or the webhook was deleted.
    const secret = await currentSecretOf(deps, webhook);
    return secret === undefined ? undefined : { secret };
  },
  async remove(_, { id, metadata }) {
    return [{ delete: webhookCursorKey(metadata.tenant, id) }];
  },
  secrets: (webhook) => [webhook.spec.secrets],
};

/** Whether the request has a secret; otherwise one is generated, or the present one stays. */
const isGiven = (secret: string | undefined): secret is string =>
  secret !== undefined && secret !== masked;

async function refuseTooMany({ deps, tenant, violations }: Request<"webhook", Input>) {
  const count = Number((await deps.store.get(countKey("webhook", tenant)))?.count ?? 0);
  if (count >= mostWebhooks)
    violations.push({
      field: "metadata.tenant",
      message: `has ${count} webhooks; ${mostWebhooks} is the limit`,
    });
}

async function currentSecretOf({ secrets }: Deps, { spec }: Webhook): Promise<string | undefined> {
  const text = await secrets.get(spec.secrets);
  return text === undefined ? undefined : webhookSecretsSchema.parse(JSON.parse(text)).current;
}
