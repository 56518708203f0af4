import * as fc from "fast-check";
import type { Json } from "../../../core/kernel/input/shape.ts";
import type { Person } from "../api.ts";
import { contentOf, type Operation, resolved, type Schema } from "./document.ts";
import { edited, type Known, odd, valid } from "./values.ts";

/** Requests for an operation: some as the document has them, some that are nearly so. */

export interface Asked {
  person: Person | "nobody";
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Facts {
  /** Who may, first; then others. */
  people: (Person | "nobody")[];
  /** Ids that are there, of the right kind first. */
  ids: string[];
  known: Known;
  /** A body that is accepted. */
  body: Json | undefined;
  tokens: string[];
}

export const requests = (operation: Operation, facts: Facts): fc.Arbitrary<Asked> =>
  fc.oneof(request(operation, facts, true), request(operation, facts, false));

/** With parameters that make sense, or with any. */
function request(operation: Operation, facts: Facts, sane: boolean): fc.Arbitrary<Asked> {
  const inPlace = (place: string) =>
    fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name }) => [name, parameter(name, operation, facts, sane)]),
      ),
      { requiredKeys: sane && place === "query" ? needed(operation) : [], noNullPrototype: true },
    );
  return fc
    .record({
      person: mostly(facts.people),
      id: identifier(facts.ids),
      query: inPlace("query"),
      twice: fc.integer({ min: sane ? 1 : 0, max: 10 }),
      headers: inPlace("header"),
      accept: fc.constantFrom("*/*", "text/event-stream", "application/json;profile=osac"),
      type: fc.constantFrom("application/json", "application/json", "text/plain", ""),
      body: operation.body ? written(operation.body, facts) : fc.constant(undefined),
    })
    .map(({ person, id, query, twice, headers, accept, type, body }) => {
      const parameters = new URLSearchParams(query);
      const [first] = parameters.keys();
      if (twice === 0 && first !== undefined) parameters.append(first, "again");
      const search = parameters.size > 0 ? `?${parameters}` : "";
      return {
        person,
        path: operation.path.replace("{id}", () => id) + search,
        headers: { Accept: accept, ...(type && { "Content-Type": type }), ...headers },
        ...(body === undefined ? {} : { body }),
      };
    });
}

/** The audit is asked for by tenant. */
const needed = ({ id }: Operation): string[] =>
  id === "private.audit_entry.list" ? ["tenant"] : [];

/** The first in three of four cases. */
const mostly = <Value>([first, ...others]: Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...(first === undefined ? [] : [first])) },
    ...(others.length > 0 ? [{ weight: 1, arbitrary: fc.constantFrom(...others) }] : []),
  );

/** A segment of a path as it is written; some are no good URLs. */
const identifier = (ids: string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: mostly(ids) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("%E0%A4%A", "%00", "%", "%2e%2e", "z".repeat(4000), "__proto__"),
    },
    {
      weight: 1,
      arbitrary: fc
        .string({ minLength: 1, unit: "binary" })
        .map((text) => encodeURIComponent(text.replaceAll(".", "-").toWellFormed())),
    },
  );

function written(schema: Schema, { body, known }: Facts): fc.Arbitrary<string> {
  const made = valid(schema, known);
  const base = body === undefined ? made : fc.oneof(fc.constant(body), made);
  return fc.oneof(
    { weight: 4, arbitrary: base.map((value) => JSON.stringify(value)) },
    { weight: 5, arbitrary: edited(base).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: base.map((value) => JSON.stringify(value).slice(0, -1)) },
    { weight: 1, arbitrary: fc.constantFrom("", "null", "[]", '{"a":1,"a":2}', "\ufeff{}", "{") },
  );
}

/** A value of a header or of the query. */
function parameter(
  name: string,
  operation: Operation,
  { tokens }: Facts,
  sane: boolean,
): fc.Arbitrary<string> {
  const answer = contentOf(operation, 200)?.["application/json"]?.schema;
  const item = answer && resolved(answer).properties?.items?.items;
  const paths = pathsIn(item ?? operation.body ?? {});
  const roots = operation.id.endsWith(".watch") ? eventPaths : paths.map((path) => `this.${path}`);
  const some = (good: fc.Arbitrary<string>, ...bad: string[]) =>
    sane ? good : fc.oneof(good, fc.constantFrom(...bad, ""), anything(name));
  switch (name) {
    case "filter":
      return some(sane ? test(roots) : filter(roots), "this", "now", "1", "this.nothing");
    case "order":
      return some(order(operation.id.includes("audit") ? ["time"] : paths), "nothing", "id up");
    case "limit":
      return some(fc.constantFrom("0", "1", "2", "1000", "1001"), "-1", "1.5", "9".repeat(14));
    case "offset":
      return some(fc.constantFrom("0", "1", "10000", "-1"), "10001", "1e3");
    case "page_token":
      return sane ? fc.constantFrom("", ...tokens) : fc.oneof(forged, anything(name));
    case "update_mask":
      return some(masks(paths), "a..b", ".", "nothing", "metadata.labels.__proto__");
    default:
      return some(fc.constantFrom(...valuesOf(name)[0]), ...valuesOf(name)[1]);
  }
}

/** Of the other parameters: values that make sense, and some that do not. */
const others: Record<string, [good: string[], bad: string[]]> = {
  dry_run: [["true", "false", ""], ["yes"]],
  lock: [["true", "false"], ["1"]],
  ids_only: [["true", "false"], ["1"]],
  include_unpublished: [["true", "false"], []],
  "X-Dry-Run": [["true", "false"], ["yes"]],
  "If-Match": [
    ['"0"', '"0"', "*", '"1"', 'W/"0"', '"0", "1"'],
    ["0", '"99999999999999999"', '"x"'],
  ],
  "Idempotency-Key": [
    ["key-1", "key-2", "k".repeat(255)],
    ["k".repeat(256), "a b"],
  ],
  "Last-Event-ID": [
    ["0", "0".repeat(16), "9".repeat(16), `${"1".repeat(16)}.digest-_123`],
    ["-1", "0.0", "1".repeat(17), `${"1".repeat(16)}.digest`],
  ],
  last_event_id: [
    ["0", "0".repeat(16), "9".repeat(16), `${"1".repeat(16)}.digest-_123`],
    ["-1", "0.0", "1".repeat(17), `${"1".repeat(16)}.digest`],
  ],
  tenant: [
    ["tenant-a", "tenant-a", "tenant-b", "shared"],
    ["Tenant A", "-"],
  ],
  object: [
    ["0197a0de-0000-7000-8000-000000000001", "fc430"],
    ["", " ", "a".repeat(1000)],
  ],
  actor: [
    ["ann", "root"],
    ["", "a".repeat(1000)],
  ],
  kind: [
    ["vlan", "ip", "prefix", "dns", "mac", "host", "infra_id"],
    ["", "volume"],
  ],
  value: [
    ["107", "203.0.113.80", "10.20.0.0/16", "api.one.example.com", "52:54:00:12:34:56", "h1"],
    ["", "4095", "10.20.0.1/16", "no name", "a".repeat(1000)],
  ],
  pool: [
    ["vlans", "prefixes", "floating_ips"],
    ["", "macs"],
  ],
  from: [
    ["107", "203.0.113.80", "10.20.0.0/24"],
    ["", "4095", "10.20.0.1/24", "fd00::1", "fd00::/64", "a".repeat(1000)],
  ],
  site: [
    ["site-1", "site-2"],
    ["", "#"],
  ],
  network: [["0197a0de-0000-7000-8000-000000000001"], ["", "#"]],
  chain: [
    ["0", "1", "3"],
    ["4", "999", "-1"],
  ],
};

function valuesOf(name: string): [good: string[], bad: string[]] {
  const values = others[name];
  if (!values) throw new Error(`no values of the parameter '${name}' are known`);
  return values;
}

const anything = (name: string): fc.Arbitrary<string> =>
  headers.has(name)
    ? fc.string({ unit: printable })
    : fc.string({ unit: "binary" }).map((text) => text.toWellFormed());
const headers = new Set(["If-Match", "Idempotency-Key", "X-Dry-Run", "Last-Event-ID"]);
/** What a header may hold. */
const printable = fc.integer({ min: 0x20, max: 0xff }).map((code) => {
  const isControl = code >= 0x7f && code < 0xa0;
  return String.fromCharCode(isControl ? 0x20 : code);
});

/** Tokens that look like ours. */
const forged = fc
  .oneof(odd, fc.constantFrom<Json[]>({ in: 0 }, { in: 9 }, { in: 0, at: "x" }, ["a", 1], [1e308]))
  .map((value) => Buffer.from(JSON.stringify(value)).toString("base64url"));

const order = (paths: string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...paths), fc.constantFrom("", " asc", " desc", " DESC")), {
      maxLength: 4,
    })
    .map((parts) => parts.map((part) => part.join("")).join(","));

const masks = (paths: string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...paths), { minLength: 1, maxLength: 3 }).map(String);

const eventPaths = ["event.id", "event.type", "event.cluster.metadata.name", "event.cluster"];

/** What is true or false of any member. */
const test = (paths: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...paths), fc.constantFrom("PATH == null", "PATH != null", "has(PATH)"))
    .map(([path, text]) => text.replace("PATH", path));

/** Expressions whose parts are right; whether the whole makes sense is for the compiler to say. */
function filter(paths: string[]): fc.Arbitrary<string> {
  const path = fc.constantFrom(...paths);
  const literal = fc.constantFrom(
    ...['"one"', '"tenant-a"', "1", "-1.5", "true", "null", "now", '"\\u0000"', "[1, 2]", '["a"]'],
  );
  const operator = fc.constantFrom("==", "!=", "<", "<=", ">", ">=", "in");
  const { whole } = fc.letrec<{ whole: string }>((tie) => ({
    whole: fc.oneof(
      { depthSize: "small" },
      fc.oneof(
        test(paths),
        fc.tuple(path, operator, literal).map((parts) => parts.join(" ")),
        fc.tuple(literal, operator, path).map((parts) => parts.join(" ")),
        path.map((one) => `${one}.startsWith("o")`),
        path,
      ),
      fc.tuple(tie("whole"), tie("whole")).map(([a, b]) => `${a} && ${b}`),
      fc.tuple(tie("whole"), tie("whole")).map(([a, b]) => `(${a}) || ${b}`),
      tie("whole").map((one) => `!(${one})`),
    ),
  }));
  return whole;
}

/** Dotted paths of the members of a schema. */
function pathsIn(schema: Schema, depth = 4): string[] {
  const { properties = {}, additionalProperties } = resolved(schema);
  const members = Object.entries(properties);
  if (typeof additionalProperties === "object") members.push(["key", additionalProperties]);
  const paths = members.flatMap(([name, member]) => [
    name,
    ...(depth > 1 ? pathsIn(member, depth - 1).map((path) => `${name}.${path}`) : []),
  ]);
  return [...new Set(paths)].slice(0, 200);
}
