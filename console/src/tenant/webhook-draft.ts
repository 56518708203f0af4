import { commandLine, quoted, setsOf } from "../ui/command.ts";

/** A webhook in the form. */
export interface WebhookDraft {
  name: string;
  url: string;
  /** Event types, one per line; empty for all. */
  eventTypes: string;
}

export const emptyWebhook: WebhookDraft = { name: "", url: "", eventTypes: "" };

const eventTypesOf = ({ eventTypes }: WebhookDraft): string[] =>
  eventTypes.split(/[\s,]+/).filter(Boolean);

export function webhookOf(draft: WebhookDraft) {
  const types = eventTypesOf(draft);
  return {
    metadata: { name: draft.name },
    spec: { url: draft.url.trim(), ...(types.length > 0 && { event_types: types }) },
  };
}

/** The equivalent command. */
export function webhookCommandOf(draft: WebhookDraft): string {
  const { metadata, spec } = webhookOf(draft);
  return commandLine([
    `slipway webhook create ${quoted(metadata.name || "NAME")}`,
    ...setsOf(Object.entries(spec).map(([member, value]) => [`spec.${member}`, value])),
  ]);
}
