import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { exampleOf } from "../../../functions/api/examples.ts";
import { families, routesOf } from "../../../functions/api/families.ts";
import { openApi } from "../../../functions/api/openapi/document.ts";
import { faultsIn, type Schema } from "../../support/fuzz/document.ts";

const routes = await routesOf(families);
const document = openApi(routes);

it("is committed as it is generated", () => {
  const committed = readFileSync(
    new URL("../../../functions/api/generated/openapi.json", import.meta.url),
    "utf8",
  );
  expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(document)));
});

it("refers only to what it has, and names every operation once", () => {
  const text = JSON.stringify(document);
  const components = JSON.parse(text).components;
  for (const [, kind, name] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)) {
    expect(components[kind ?? ""]).toHaveProperty(name ?? "");
  }
  expect(text).not.toContain("$defs");
  const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
  // Beside the routes, what anybody may ask.
  expect(ids).toHaveLength(routes.length + 2);
  expect(new Set(ids).size).toBe(ids.length);
});

interface Content {
  schema: Record<string, unknown>;
  examples?: Record<string, { $ref: string }>;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  responses: Record<string, { $ref?: string; content?: Record<string, Content> }>;
}
const written = JSON.parse(JSON.stringify(document));
const nameIn = (reference: string) => reference.split("/").at(-1) ?? "";
const operations: Operation[] = Object.values<Record<string, Operation>>(written.paths)
  .flatMap((methods) => Object.values(methods))
  .map(({ responses, ...operation }) => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, { $ref, ...response }]) => [
        status,
        $ref === undefined ? response : written.components.responses[nameIn($ref)],
      ]),
    ),
  }));

it("has the body and the example of every route behind its reference", () => {
  const { requestBodies } = written.components;
  for (const route of routes) {
    const { requestBody } = written.paths[route.path][route.method.toLowerCase()];
    expect(requestBody === undefined, route.path).toBe(route.body === undefined);
    if (!route.body) continue;
    const { required, content } = requestBodies[nameIn(requestBody.$ref)];
    expect(required, route.path).toBe(!route.body.safeParse({}).success);
    const { schema, example } = content["application/json"];
    expect(example, route.path).toEqual(exampleOf(route));
    expect(faultsIn(schema, example), route.path).toBe(undefined);
  }
});

it("names every operation as a verb and a noun, and describes it", () => {
  for (const { operationId, summary, description } of operations) {
    expect(summary, operationId).toMatch(/^[A-Z][a-z]+ (a |an |the |all )?[a-zA-Z][a-zA-Z ]+$/);
    expect(summary.split(" ").length, operationId).toBeLessThan(7);
    expect(description, operationId).toMatch(/\.\n\nFor `|For everybody/);
  }
});

it("has every operation under one tag, and every tag in one group", () => {
  const names = written.tags.map(({ name }: { name: string }) => name);
  const grouped = written["x-tagGroups"].flatMap(({ tags }: { tags: string[] }) => tags);
  expect(grouped).toEqual(names);
  expect(new Set(names).size).toBe(names.length);
  for (const { tags } of operations) expect(names).toContain(tags.join());
  expect(new Set(operations.flatMap(({ tags }) => tags)).size).toBe(names.length);
});

it("has no component that nothing refers to", () => {
  const text = JSON.stringify(document);
  for (const [kind, parts] of Object.entries<object>(written.components)) {
    if (kind === "securitySchemes") continue;
    for (const name of Object.keys(parts))
      expect(text).toContain(`"$ref":"#/components/${kind}/${name}"`);
  }
});

it("says what a watch answers: CloudEvents as a stream, OSAC's events as lines", () => {
  const watch = operations.find(({ operationId }) => operationId === "public.event.watch");
  const content = watch?.responses[200]?.content;
  expect(content?.["text/event-stream"]?.schema).toEqual({ $ref: "#/components/schemas/Event" });
  expect(JSON.stringify(content?.["application/json"]?.schema)).toContain("schemas/WatchEvent");
  expect(written.components.schemas.WatchEvent.properties.cluster).toMatchObject({
    $ref: "#/components/schemas/Cluster",
  });
});

interface Described {
  $ref?: string;
  description?: string;
  properties?: Record<string, Described>;
  items?: Described;
  additionalProperties?: Described | boolean;
  anyOf?: Described[];
  oneOf?: Described[];
}

/** Every member below a schema, by its path. */
function* membersOf(schema: Described, path: string): Generator<[string, string, Described]> {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  for (const [name, member] of Object.entries(properties)) {
    yield [`${path}.${name}`, name, member];
    yield* membersOf(member, `${path}.${name}`);
  }
  const held = typeof additionalProperties === "object" ? [additionalProperties] : [];
  for (const inner of [...(items ? [items] : []), ...held, ...anyOf, ...oneOf])
    yield* membersOf(inner, path);
}

const words = (text: string) => text.toLowerCase().replaceAll(/[^a-z]+/g, "");
const isSaid = (name: string, text = "") => / \S/.test(text) && words(text) !== words(name);

it("describes every member of every schema, parameter and header", () => {
  const { schemas, parameters, headers, responses } = written.components;
  const silent = Object.entries<Described>(schemas).flatMap(([title, schema]) =>
    [...membersOf(schema, title)].filter(([, name, { description }]) => !isSaid(name, description)),
  );
  expect(silent.map(([path]) => path)).toEqual([]);
  for (const part of [parameters, headers, responses])
    for (const [name, { description }] of Object.entries<Described>(part))
      expect(isSaid(name, description), name).toBe(true);
});

it("shows answers that are as their schemas say", () => {
  const { examples } = written.components;
  const shown = operations.flatMap(({ responses }) => {
    const { schema, examples: named = {} } = responses[200]?.content?.["application/json"] ?? {};
    return Object.keys(named).map((name) => ({ name, schema }));
  });
  expect(new Set(shown.map(({ name }) => name))).toEqual(new Set(Object.keys(examples)));
  for (const { name, schema } of shown)
    expect(faultsIn(schema as Schema, examples[name].value), name).toBe(undefined);
});

/** The places of members that nothing describes: neither they themselves nor what they refer to. */
function undescribed(schema: Schema, place: string): string[] {
  const { properties = {}, items, additionalProperties, ...rest } = schema;
  const choices = [...(rest.anyOf ?? []), ...(rest.oneOf ?? [])];
  const inside = [items, additionalProperties, ...choices].filter(
    (each) => typeof each === "object",
  );
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [
      ...(isDescribed(member) ? [] : [`${place}.${name}`]),
      ...undescribed(member, `${place}.${name}`),
    ]),
    ...inside.flatMap((each) => undescribed(each as Schema, `${place}[]`)),
  ];
}

const isDescribed = ({ description, $ref }: { description?: string; $ref?: string }): boolean =>
  Boolean(description) ||
  ($ref !== undefined && written.components.schemas[nameIn($ref)].description);

it("says of every schema, member, parameter, header and answer what it is", () => {
  const { schemas, parameters, headers, responses } = written.components;
  for (const [name, schema] of Object.entries<Schema>(schemas)) {
    expect(schema, name).toHaveProperty("description", expect.stringMatching(/\.$/));
    expect(undescribed(schema, name)).toEqual([]);
  }
  for (const named of [parameters, headers, responses])
    for (const [name, each] of Object.entries(named))
      expect(each, name).toHaveProperty("description", expect.stringMatching(/\.$/));
});
