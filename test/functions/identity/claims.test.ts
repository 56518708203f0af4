import { expect, it } from "vitest";
import { claimAt, namesIn } from "../../../functions/identity/claims.ts";

/** Claims of a token, by name or path, and the names in them. */

const claims = {
  sub: "ann",
  "https://example.com/roles": ["admin"],
  realm_access: { roles: ["a", "b"], "x.y": 1, deep: { er: [] } },
  list: ["first"],
  nothing: null,
  empty: "",
};

it.each<[string, unknown]>([
  ["sub", "ann"],
  ["https://example.com/roles", ["admin"]],
  ["realm_access.roles", ["a", "b"]],
  ["realm_access.deep.er", []],
  ["realm_access.x.y", undefined],
  ["realm_access.roles.0", "a"],
  ["list.0", "first"],
  ["sub.length", undefined],
  ["nothing", null],
  ["nothing.more", undefined],
  ["empty", ""],
  ["other", undefined],
  ["other.more", undefined],
  ["toString", undefined],
  ["realm_access.toString", undefined],
  ["realm_access.constructor.name", undefined],
  ["__proto__", undefined],
])("the claim at %s", (name, value) => {
  expect(claimAt(claims, name)).toEqual(value);
});

it.each<[unknown, string[]]>([
  ["admin", ["admin"]],
  ["a b", ["a b"]],
  ["", []],
  [
    ["a", "", 7, null, ["c"], "b"],
    ["a", "b"],
  ],
  [[], []],
  [{ "tenant-a": { roles: [] }, "tenant-b": 1 }, ["tenant-a", "tenant-b"]],
  [null, []],
  [undefined, []],
  [7, []],
  [true, []],
])("the names in %j", (claim, names) => {
  expect(namesIn(claim)).toEqual(names);
});
