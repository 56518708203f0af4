import { useState } from "react";
import type { Webhook } from "../generated/answers.ts";
import { Text } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { Ordering } from "./ordering.tsx";
import { emptyWebhook, webhookCommandOf, webhookOf } from "./webhook-draft.ts";
import { saveSecret } from "./webhook-secret.ts";

/** Creates a webhook, which sends events to a server of the tenant. */
export function NewWebhook() {
  const [draft, setDraft] = useState(emptyWebhook);
  const change = (changes: Partial<typeof draft>) =>
    setDraft((before) => ({ ...before, ...changes }));
  return (
    <Page title="New webhook">
      <Ordering<Webhook>
        plural="webhooks"
        order={webhookOf(draft)}
        command={webhookCommandOf(draft)}
        verdictOf={() =>
          "It can be created. Its secret, with which your server verifies events, will be downloaded."
        }
        does="Create"
        made={saveSecret}
        pageOf={() => "/webhooks"}
      >
        <Text isRequired label="Name" value={draft.name} change={(name) => change({ name })} />
        <Text
          isRequired
          label="Where events are sent"
          placeholder="https://portal.example.com/slipway"
          hint="https, at a public address."
          value={draft.url}
          change={(url) => change({ url })}
        />
        <Text
          label="Types of events (default: all)"
          hint="One type on each line, such as slipway.cluster.ready.v1 or slipway.cluster.*"
          lines={4}
          value={draft.eventTypes}
          change={(eventTypes) => change({ eventTypes })}
        />
      </Ordering>
    </Page>
  );
}
