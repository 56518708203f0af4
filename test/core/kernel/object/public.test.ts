import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { isObject, type Json, schemaShapeOf } from "../../../../core/kernel/input/shape.ts";
import { definitionOf } from "../../../../core/kernel/object/kind.ts";
import type { Kind } from "../../../../core/kernel/object/object.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { kindNames, kinds, view } from "../../../../functions/api/registry.ts";
import { wireSchemas } from "../../../../functions/api/schemas.ts";
import { type Api, catalogApi } from "../../../support/api.ts";
import { oneOfEach } from "../../../support/one-of-each.ts";

/** What tenants see is what administrators see, and less. */

/** Every member that a schema has, as a path; items of lists and maps under `*`. */
function pathsIn(schema: z.core.$ZodType, path = ""): string[] {
  const shape = schemaShapeOf(schema);
  const below = (name: string, member: z.core.$ZodType) => {
    const inner = path === "" ? name : `${path}.${name}`;
    return [inner, ...pathsIn(member, inner)];
  };
  if (shape.is === "object")
    return Object.entries(shape.members).flatMap(([name, member]) => below(name, member));
  if (shape.is === "map") return below("*", shape.value);
  return shape.is === "list" ? below("*", shape.item) : [];
}

/** Every value on the wire, by its path. */
function leavesIn(wire: Json, path = ""): string[] {
  if (Array.isArray(wire)) return wire.flatMap((item, n) => leavesIn(item, `${path}[${n}]`));
  if (!isObject(wire)) return [`${path}=${JSON.stringify(wire)}`];
  return Object.entries(wire).flatMap(([name, member]) => leavesIn(member, `${path}.${name}`));
}

const isAtOrUnder = (path: string, above: string) => path === above || path.startsWith(`${above}.`);

describe.each(kindNames)("the public schema of %s", (kind) => {
  const whole = pathsIn(wireSchemas.private(kind));
  const shown = pathsIn(wireSchemas.public(kind));
  const hidden = definitionOf(kinds, kind).privateMembers ?? [];

  it("is a subset of the private one: all of it but the private members", () => {
    expect(whole).toEqual(expect.arrayContaining(shown));
    const kept = whole.filter((path) => !hidden.some((each) => isAtOrUnder(path, each)));
    expect(shown.toSorted()).toEqual(kept.toSorted());
  });

  it("hides members that there are", () => {
    expect(whole).toEqual(expect.arrayContaining([...hidden]));
  });
});

describe("what is answered", () => {
  let api: Api;
  let ids: Partial<Record<Kind, string>>;
  beforeAll(async () => {
    api = await catalogApi();
    ids = await oneOfEach(api);
  });

  it.each(kindNames)("of %s is what the schemas say, and publicly a part of it", async (kind) => {
    const object = await mustLoad(api.deps, kind, ids[kind] ?? "");
    const whole = view(object, { profile: "slipway", private: true });
    const shown = view(object, { profile: "slipway", private: false });
    expect(strict(wireSchemas.private(kind)).parse(whole)).toEqual(whole);
    expect(strict(wireSchemas.public(kind)).parse(shown)).toEqual(shown);
    expect(leavesIn(whole)).toEqual(expect.arrayContaining(leavesIn(shown)));
    const osac = (isPrivate: boolean) => view(object, { profile: "osac", private: isPrivate });
    expect(leavesIn(osac(true))).toEqual(expect.arrayContaining(leavesIn(osac(false))));
  });
});

/** Refuses members that the schema does not have, at the top and in spec and status. */
function strict(schema: z.ZodObject): z.ZodObject {
  const shape = Object.entries(schema.shape).map(([name, member]) => {
    const isOptional = member instanceof z.ZodOptional;
    const inner = isOptional ? member.unwrap() : member;
    const closed = inner instanceof z.ZodObject ? inner.strict() : inner;
    return [name, isOptional ? z.optional(closed) : closed] as const;
  });
  return z.strictObject(Object.fromEntries(shape));
}

it("lets filters on public paths name public members only", async () => {
  const api = await catalogApi();
  const query = `?filter=${encodeURIComponent('this.status.hub == "hub-1"')}`;
  expect((await api.ask("ann", "GET", `/api/fulfillment/v1/clusters${query}`)).status).toBe(400);
  expect((await api.ask("admin", "GET", `/api/private/v1/clusters${query}`)).status).toBe(200);
});
