import { describe, expect, it } from "vitest";
import { type Caller, isPlausibleId, tenantFor } from "../../../../core/kernel/request/caller.ts";
import { refuseStale, refuseTooMuch, writeLimit } from "../../../../core/kernel/request/checks.ts";
import { changedMetadata } from "../../../../core/kernel/request/metadata.ts";
import { memberOf, placeOf, tenantUnlessNamed } from "../../../../core/kernel/request/place.ts";
import { groupRecord } from "../../../support/network-records.ts";
import { ann, root } from "../../../support/orders.ts";

/** The rules of requests that need no store: whose an object is, and what of it may change. */

it.each<[Caller, string | undefined, string | undefined, string]>([
  [ann, undefined, undefined, "tenant-a"],
  [ann, "", undefined, "tenant-a"],
  [ann, undefined, "shared", "shared"],
  [ann, "", "shared", "shared"],
  [ann, "tenant-a", "shared", "tenant-a"],
  [root, "tenant-b", undefined, "tenant-b"],
  [root, undefined, undefined, "shared"],
])("of %j, who names the tenant %s where %s is the default: %s", (caller, named, fallback, is) => {
  expect(tenantFor(caller, named, fallback)).toBe(is);
});

it("a tenant names no other tenant", () => {
  expect(() => tenantFor(ann, "tenant-b")).toThrow(
    expect.objectContaining({
      kind: "Forbidden",
      message: "tenant 'tenant-b' can't be assigned",
    }),
  );
});

it.each<[Parameters<typeof tenantUnlessNamed>[0], Caller, string | undefined, string]>([
  ["caller", ann, "x", "tenant-a"],
  ["caller", root, "x", "shared"],
  ["own", ann, "x", "tenant-a"],
  ["own", { ...root, tenant: "tenant-r" }, "x", "tenant-r"],
  ["shared", ann, "x", "shared"],
  ["itself", ann, "x", "x"],
  ["itself", ann, undefined, "tenant-a"],
])("a kind whose tenant is '%s', of %j, named %s: %s", (rule, caller, name, is) => {
  expect(tenantUnlessNamed(rule, caller, name)).toBe(is);
});

it.each([
  ["", false],
  ["a", true],
  ["a".repeat(253), true],
  ["a".repeat(254), false],
])("%j as an id: %s", (id, is) => {
  expect(isPlausibleId(id)).toBe(is);
});

it("a member of a request is read from what is no object, too", () => {
  expect(memberOf({ spec: { a: 1 } }, "spec")).toEqual({ a: 1 });
  expect(memberOf({ spec: { a: 1 } }, "metadata")).toEqual({});
  for (const body of ["text", 7, null, [1]]) expect(memberOf(body, "spec")).toEqual({});
});

it.each([
  [
    {
      id: "x",
      metadata: { name: "web", tenant: "tenant-a", project: "shop.web", labels: { a: "b" } },
    },
    { id: "x", name: "web", tenant: "tenant-a", project: "shop.web" },
  ],
  [{ metadata: { name: "web", project: "No Project" } }, { name: "web" }],
  [{ id: 7, metadata: "none" }, {}],
  ["text", {}],
])("the place in %j is %j", (body, place) => {
  expect(JSON.parse(JSON.stringify(placeOf(body)))).toEqual(place);
});

describe("changed metadata", () => {
  const before = {
    ...{ name: "web", tenant: "tenant-a", labels: { a: "1" }, annotations: { b: "2" } },
    ...{ creator: "ann", creation_timestamp: "2026-01-01T00:00:00.000Z" },
    ...{ display_name: "Web", description: "Old" },
  };
  const { display_name: _, description: __, ...bare } = before;
  const inProject = { ...before, project: "shop" };
  const same = { name: "web", tenant: "tenant-a" };
  const change = (from: typeof before, input: object, known: string[] = []) => {
    const violations = known.map((field) => ({ field, message: "is wrong" }));
    const after = changedMetadata(from, input as never, violations);
    return { after, faults: violations.map(({ field, message }) => `${field}: ${message}`) };
  };

  it.each<[string, object, object]>([
    ["labels and texts that are left out", same, { ...bare, labels: {}, annotations: {} }],
    [
      "others",
      { ...same, labels: { c: "3" }, annotations: { d: "4" }, display_name: "W", description: "N" },
      {
        ...{ ...bare, labels: { c: "3" }, annotations: { d: "4" } },
        ...{ display_name: "W", description: "N" },
      },
    ],
    [
      "empty texts",
      { ...same, display_name: "", description: "" },
      { ...bare, labels: {}, annotations: {} },
    ],
  ])("has %s", (_case, input, after) => {
    expect(change(before, input)).toEqual({ after, faults: [] });
  });

  it.each<[object, object, string[], string[]]>([
    [before, { ...same, name: "x" }, [], ["metadata.name: field 'metadata.name' is immutable"]],
    [
      before,
      { name: "web", tenant: "b" },
      [],
      ["metadata.tenant: field 'metadata.tenant' is immutable"],
    ],
    [
      before,
      { ...same, project: "lab" },
      [],
      ["metadata.project: field 'metadata.project' is immutable"],
    ],
    [inProject, same, [], ["metadata.project: field 'metadata.project' is immutable"]],
    [inProject, { ...same, project: "shop" }, [], []],
    [before, { ...same, project: "" }, [], []],
    [before, { ...same, name: "X Y" }, ["metadata.name"], ["metadata.name: is wrong"]],
    [
      before,
      { ...same, name: "x" },
      ["metadata.tenant"],
      ["metadata.tenant: is wrong", "metadata.name: field 'metadata.name' is immutable"],
    ],
  ])("keeps the place %#", (from, input, known, faults) => {
    expect(change(from as typeof before, input, known).faults).toEqual(faults);
  });
});

describe("a request for a version of an object", () => {
  const object = { ...groupRecord("web"), generation: 3 };

  it.each([
    {},
    { lock: 3 },
    { ifVersion: [3] },
    { ifVersion: [1, 3] },
    { lock: 3, ifVersion: [3] },
  ])("is taken with %j at version 3", (options) => {
    expect(() => refuseStale(object, options)).not.toThrow();
  });

  it.each([
    [
      { lock: 2 },
      "Conflict",
      "object with identifier 'web' has been modified: requested version is 2 but current version is 3",
    ],
    [{ lock: 0 }, "Conflict", expect.stringContaining("requested version is 0")],
    [{ ifVersion: [1, 2] }, "PreconditionFailed", "object with identifier 'web' is at version 3"],
    [{ ifVersion: [] }, "PreconditionFailed", "object with identifier 'web' is at version 3"],
    [{ lock: 3, ifVersion: [2] }, "PreconditionFailed", expect.any(String)],
  ])("is refused with %j", (options, kind, message) => {
    expect(() => refuseStale(object, options)).toThrow(expect.objectContaining({ kind, message }));
  });
});

it("a change has at most as many writes as a transaction, without those of the audit", () => {
  const writes = (count: number) =>
    Array.from({ length: count }, () => ({ delete: { pk: "a", sk: "b" } }));
  expect(() => refuseTooMuch(writes(writeLimit))).not.toThrow();
  expect(() => refuseTooMuch(writes(writeLimit + 1))).toThrow(
    `the change needs ${writeLimit + 1} writes at once; ${writeLimit} is the limit`,
  );
});
