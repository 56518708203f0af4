import { expect, it } from "vitest";
import * as z from "zod";
import { eventSchema } from "../../../core/kernel/events/events.ts";
import { relay } from "../../../core/kernel/relay/relay.ts";
import { eventDocuments } from "../../../functions/api/event-documents.ts";
import { sagas } from "../../../statemachines/index.ts";
import { catalogApi, order, priv, v1 } from "../../support/api.ts";

const documents = eventDocuments();

const partAt = (document: object | undefined, path: string): unknown =>
  path
    .split("/")
    .filter((part) => part !== "")
    .reduce<unknown>((at, part) => Object(at)[part], document);

/** A document with the others that it refers to put in their place, as a validator. */
function validator(name: string): z.ZodType {
  const text = JSON.stringify(documents.get(name), (_, value) => {
    const [file = "", path = ""] = typeof value?.$ref === "string" ? value.$ref.split("#") : [];
    const document = documents.get(file);
    return document === undefined ? value : partAt(document, path);
  });
  // References within a document that was put in lead to its own definitions.
  const whole = JSON.parse(text);
  const definitions = whole.properties?.data?.properties?.object?.definitions;
  return z.fromJSONSchema({ ...whole, ...(definitions ? { definitions } : {}) });
}

it("refer only to what is there", () => {
  for (const [name, document] of documents) {
    for (const [, file = "", path = ""] of JSON.stringify(document).matchAll(
      /"\$ref":"([^"#]*)(?:#\/([^"]*))?"/g,
    )) {
      const target = file === "" ? document : documents.get(file);
      expect(partAt(target, path), `${name}: ${file}#/${path}`).toBeDefined();
    }
  }
});

it("describe every event that is published, and refuse what is none", async () => {
  const api = await catalogApi();
  const { body } = await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
  await api.ask("ann", "PATCH", `${v1}/clusters/${body.id}`, { metadata: { labels: { a: "b" } } });
  await api.ask("ann", "DELETE", `${v1}/clusters/${body.id}`);
  await api.ask("admin", "DELETE", `${priv}/cluster_versions/4-12-0`);
  const spec = { url: "https://receiver.example.com/" };
  await api.ask("bob", "POST", `${v1}/webhooks`, { metadata: { name: "w" }, spec });
  for (const record of api.deps.store.stream(undefined, 10_000))
    await relay(api.deps, sagas, record);

  const types = new Set(api.deps.published.map(({ type }) => type));
  for (const change of ["cluster.created", "cluster.deleting", "cluster_version.deleted"])
    expect(types).toContain(`slipway.${change}.v1`);
  for (const event of api.deps.published) {
    const schema = validator(`${event.type}.json`);
    expect(schema.safeParse(event).error, event.type).toBeUndefined();
    expect(schema.safeParse({ ...event, added: 1 }).success, "additions are allowed").toBe(true);
    expect(schema.safeParse({ ...event, sequence: 0 }).success).toBe(false);
    expect(schema.safeParse({ ...event, data: { object: { id: 1 }, changed: [] } }).success).toBe(
      false,
    );
    expect(eventSchema.parse(event)).toEqual(event);
  }
});

it("have an AsyncAPI document that names every type", () => {
  const api = documents.get("asyncapi.json");
  const types = [...documents.keys()].filter((name) => name.startsWith("slipway."));
  expect(api).toMatchObject({ asyncapi: "3.0.0" });
  const { messages } = Object(api).components;
  expect(Object.keys(messages).map((type) => `${type}.json`)).toEqual(types);
});
