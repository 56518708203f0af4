import * as z from "zod";
import { eventSchema } from "../../core/kernel/events/events.ts";
import { eventType } from "../../core/kernel/object/event-type.ts";
import { withoutChoice, withoutWidth } from "../../core/kernel/object/json-schema.ts";
import { type Kind, pluralOf } from "../../core/kernel/object/object.ts";
import { metadataSchema } from "../../core/kernel/object/wire.ts";
import { definitionOf, kindNames } from "./registry.ts";
import { wireSchemas } from "./schemas.ts";

/**
 * The documents from which integrators generate code: a JSON Schema of every type of event, and an AsyncAPI
 * document that refers to them.
 */

type Description = Record<string, unknown>;

const draft = "http://json-schema.org/draft-07/schema#";

/** Every document by its file name, by which the documents refer to each other. */
export function eventDocuments(): Map<string, Description> {
  const told = kindNames.filter((kind) => definitionOf(kind).events.length > 0).sort();
  const documents = new Map<string, Description>([
    ["asyncapi.json", asyncApi(told)],
    [eventFile, { ...described(eventSchema), title: "event" }],
    [metadataFile, { ...described(metadataSchema), title: "metadata" }],
  ]);
  for (const kind of told) {
    documents.set(objectFile(kind), objectDocument(kind));
    for (const type of typesOf(kind)) documents.set(`${type}.json`, eventDocument(kind, type));
  }
  return documents;
}

const eventFile = "event.json";
const metadataFile = "metadata.json";
const objectFile = (kind: Kind): string => `${kind}.json`;
const typesOf = (kind: Kind): string[] =>
  definitionOf(kind)
    .events.map((change) => eventType(kind, change))
    .sort();

function objectDocument(kind: Kind): Description {
  const document = described(wireSchemas.public(kind));
  const { $schema: _, ...metadata } = described(metadataSchema);
  const properties = Object.entries<Description>(Object(document.properties)).map(
    ([name, member]) => [
      name,
      JSON.stringify(member) === JSON.stringify(metadata) ? { $ref: metadataFile } : member,
    ],
  );
  return { ...document, properties: Object.fromEntries(properties), title: kind };
}

/** The schema of one type of event: its type and its object. All other members are common to all events. */
function eventDocument(kind: Kind, type: string): Description {
  const { $schema, properties, required } = described(eventSchema);
  const { data, ...members } = properties as Record<string, Description>;
  const alike = (at: string, names: object) =>
    Object.fromEntries(
      Object.keys(names).map((name) => [name, { $ref: `${eventFile}#/${at}/${name}` }]),
    );
  const inData = alike("properties/data/properties", Object(data?.properties));
  return {
    $schema,
    title: type,
    type: "object",
    required,
    properties: {
      ...alike("properties", members),
      type: { type: "string", const: type },
      subject: { type: "string", pattern: `^${pluralOf(kind)}/` },
      data: { ...data, properties: { ...inData, object: { $ref: objectFile(kind) } } },
    },
  };
}

/** A schema that allows unknown members, since later versions of events may add some. */
function described(schema: z.ZodType): Description {
  const { $schema: _, ...description } = z.toJSONSchema(schema, {
    target: "draft-7",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      withoutWidth(jsonSchema);
      withoutChoice(jsonSchema);
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return { $schema: draft, ...JSON.parse(JSON.stringify(description)) };
}

function asyncApi(told: Kind[]): Description {
  const types = told.flatMap(typesOf);
  const logged = types.filter((type) => type !== eventType("webhook", "test"));
  const messages = (names: string[]) =>
    Object.fromEntries(names.map((type) => [type, { $ref: `#/components/messages/${type}` }]));
  const sent = (channel: string, summary: string) => ({
    action: "send",
    summary,
    channel: { $ref: `#/channels/${channel}` },
  });
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Slipway events",
      version: "1",
      description:
        "CloudEvents 1.0 of everything a tenant has. At least once; `sequence` counts the changes of one object without gaps. Changes to these schemas are additive. Generated from core/events; do not edit.",
    },
    defaultContentType: "application/cloudevents+json",
    channels: {
      bus: {
        address: "slipway",
        description:
          "The EventBridge bus of the deployment, for the provider: source `slipway`, the event as detail. In no order.",
        messages: messages(logged),
      },
      watch: {
        address: "/api/events/v1/events",
        description:
          "Server-sent events over the API, from `Last-Event-ID` on. In the order of the tenant's log.",
        messages: messages(logged),
      },
      webhook: {
        address: null,
        description:
          "POST to the URL of a webhook, by Standard Webhooks, in CloudEvents' structured mode (`content-type: application/cloudevents+json`): `webhook-id` (the event's id), `webhook-timestamp` (seconds), `webhook-signature` (`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, one for each secret that is valid). In the order of the tenant's log.",
        messages: messages(types),
      },
    },
    operations: {
      publish: sent("bus", "Every event, once it is in its tenant's log"),
      answerWatch: sent("watch", "The events that a client has not seen"),
      deliver: sent(
        "webhook",
        "The events that a webhook asks for, each sent until the receiver accepts it",
      ),
    },
    components: {
      messages: Object.fromEntries(
        types.map((type) => [type, { name: type, payload: { $ref: `${type}.json` } }]),
      ),
    },
  };
}
