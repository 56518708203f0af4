import { expect, it } from "vitest";
import * as z from "zod";
import type { JsonObject } from "../../../core/kernel/input/shape.ts";
import { behalfIn } from "../../../functions/api/on-behalf-of.ts";
import { isTakenIn } from "../../../functions/api/paused.ts";
import {
  isDryRun,
  isIdempotencyKey,
  matchOf,
  mergeOf,
  updateOptions,
} from "../../../functions/api/preconditions.ts";

/** What headers of a request mean, and which requests a paused intake refuses. */

const headersOf = (headers: Record<string, string>) => (name: string) => headers[name];

const tenantHeader = "Slipway-On-Behalf-Of";
const userHeader = "Slipway-On-Behalf-Of-User";

it.each<[Record<string, string>, object | undefined]>([
  [{}, undefined],
  [{ [tenantHeader]: "tenant-a" }, { tenant: "tenant-a" }],
  [
    { [tenantHeader]: "tenant-a", [userHeader]: "ann" },
    { tenant: "tenant-a", user: "ann" },
  ],
  [
    { [tenantHeader]: "tenant-a", [userHeader]: "a".repeat(253) },
    { tenant: "tenant-a", user: "a".repeat(253) },
  ],
])("a request with %j is on behalf of %j", (headers, behalf) => {
  expect(behalfIn(headersOf(headers))).toEqual(behalf);
});

it.each<[Record<string, string>, string, string]>([
  [{ [tenantHeader]: "" }, tenantHeader, "must name a tenant"],
  [{ [userHeader]: "ann" }, tenantHeader, "must name a tenant"],
  [{ [tenantHeader]: "", [userHeader]: "ann" }, tenantHeader, "must name a tenant"],
  [{ [tenantHeader]: "tenant-a", [userHeader]: "" }, userHeader, "must name a user"],
  [{ [tenantHeader]: "a", [userHeader]: "a".repeat(254) }, userHeader, "must name a user"],
])("a request with %j is refused for %s", (headers, field, message) => {
  expect(() => behalfIn(headersOf(headers))).toThrow(
    expect.objectContaining({ kind: "Invalid", violations: [{ field, message }] }),
  );
});

type Route = Parameters<typeof isTakenIn>[0];
it.each<[Route["area"], string, Route["method"], boolean]>([
  ["public", "cluster", "POST", true],
  ["public", "cluster", "GET", false],
  ["public", "cluster", "DELETE", true],
  ["public", "secret", "PATCH", true],
  ["private", "cluster", "POST", true],
  ["private", "cluster", "GET", false],
  ["private", "virtual_network", "DELETE", true],
  ["private", "hub", "POST", false],
  ["private", "maintenance", "PATCH", false],
])("while intake is paused, %s %s %s waits: %s", (area, subject, method, waits) => {
  expect(isTakenIn({ area, subject, method } as Route)).toBe(waits);
});

const request = (headers: Record<string, string>, query: Record<string, string> = {}) =>
  ({
    header: (name: string) => headers[name],
    query: (name: string) => query[name],
    queries: (name: string) => (query[name] === undefined ? undefined : [query[name]]),
  }) as never;

it.each<[Record<string, string>, Record<string, string>, boolean]>([
  [{}, {}, false],
  [{ "X-Dry-Run": " TRUE " }, {}, true],
  [{ "X-Dry-Run": "false" }, {}, false],
  [{}, { dry_run: "true" }, true],
  [{}, { dry_run: "false" }, false],
  [{ "X-Dry-Run": "false" }, { dry_run: "true" }, true],
])("a request with %j and %j is a dry run: %s", (headers, query, is) => {
  expect(isDryRun(request(headers, query))).toBe(is);
});

it("a dry run is asked for by true alone", () => {
  expect(() => isDryRun(request({ "X-Dry-Run": "yes" }))).toThrow(
    expect.objectContaining({
      violations: [{ field: "X-Dry-Run", message: "must be true or false" }],
    }),
  );
});

it.each<[string | undefined, object]>([
  [undefined, {}],
  ["*", {}],
  [" * ", {}],
  ['"3"', { ifVersion: [3] }],
  ['"0", "12"', { ifVersion: [0, 12] }],
  ['W/"3"', { ifVersion: [] }],
  ['"03"', { ifVersion: [] }],
  ['"x", "4"', { ifVersion: [4] }],
  ["3", { ifVersion: [] }],
  ["", { ifVersion: [] }],
  ['"123456789012345"', { ifVersion: [123456789012345] }],
  ['"1234567890123456"', { ifVersion: [] }],
])("If-Match: %s asks for %j", (given, match) => {
  const headers: Record<string, string> = given === undefined ? {} : { "If-Match": given };
  expect(matchOf({ c: { req: request(headers) } } as never)).toEqual(match);
});

it.each([
  ["a", true],
  ["!~", true],
  ["a".repeat(255), true],
  ["a".repeat(256), false],
  ["", false],
  ["a b", false],
  ["ä", false],
])("%j as an idempotency key: %s", (text, is) => {
  expect(isIdempotencyKey(text)).toBe(is);
});

const call = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  ({
    c: { req: request(headers, query) },
    query: (name: string) => query[name],
  }) as never;

it.each<[Record<string, string>, JsonObject, object]>([
  [{}, { metadata: { version: 3 } }, {}],
  [{ lock: "true" }, { metadata: { version: 3 } }, { lock: 3 }],
  [{ lock: "true" }, { metadata: {} }, { lock: 0 }],
  [{ lock: "true" }, {}, { lock: 0 }],
  [{ lock: "false" }, { metadata: { version: 3 } }, {}],
])("an update with %j of %j requires %j", (query, body, options) => {
  expect(updateOptions(call(query), body)).toEqual(options);
  expect(updateOptions(call(query, { "If-Match": '"7"' }), body)).toEqual({
    ...{ ...options, ifVersion: [7] },
  });
});

it("an update is locked by a number", () => {
  expect(() => updateOptions(call({ lock: "true" }), { metadata: { version: "3" } })).toThrow(
    expect.objectContaining({
      violations: [{ field: "metadata.version", message: "must be an integer" }],
    }),
  );
});

const schema = z.object({
  id: z.string().optional(),
  spec: z.object({ size: z.number().optional(), name: z.string().optional() }),
  status: z.object({ state: z.string() }).optional(),
});
const current = { id: "a", spec: { size: 1, name: "one" }, status: { state: "READY" } };
const body = { id: "b", spec: { size: 2 }, status: { state: "FAILED" } };

it.each<[string | undefined, object]>([
  [undefined, { size: 2, name: "one" }],
  ["spec.size", { size: 2, name: "one" }],
  ["spec.name", { size: 1 }],
  ["spec", { size: 2 }],
  [" spec.size , spec.size,", { size: 2, name: "one" }],
  ["id,status,status.state,", { size: 1, name: "one" }],
])(
  "a change with the mask %s makes of the spec %j, and writes no id and no status",
  (mask, spec) => {
    const query: Record<string, string> = mask === undefined ? {} : { update_mask: mask };
    expect(mergeOf(call(query), schema, body)(current)).toEqual({ ...current, spec });
  },
);
