import { beforeAll, describe, expect, it } from "vitest";
import { families, routesOf } from "../../../functions/api/families.ts";
import { rolesFor } from "../../../functions/api/permissions.ts";
import type { Route } from "../../../functions/api/route.ts";
import { type Api, catalogApi, type Person, people, priv, v1 } from "../../support/api.ts";
import { type Ids, oneOfEach } from "../../support/one-of-each.ts";

/** What a request says that its operation does not have is refused, whatever the operation is. */

let api: Api;
let ids: Ids;
beforeAll(async () => {
  api = await catalogApi();
  ids = await oneOfEach(api);
});

/** Somebody who may, and the path with an id that is there. */
function asked({ area, subject, verb, path }: Route): { person: Person; path: string } {
  const roles = rolesFor(area, subject, verb);
  const [person] = (Object.keys(people) as Person[]).filter((each) =>
    people[each].roles.some((role) => roles.some((allowed) => allowed === role)),
  );
  if (!person) throw new Error(`nobody may ${verb} ${subject}`);
  const id = Object.entries(ids).find(([kind]) => kind === subject)?.[1] ?? "hub-1";
  return { person, path: path.replace("{id}", id) };
}

const routes = await routesOf(families);

describe.each(routes.map((route) => [route.method, route.path, route] as const))(
  "%s %s",
  (...of) => {
    const [method, , route] = of;
    const body = route.body ? {} : undefined;

    it.each(["dry-run", "__proto__"])("does not know %s", async (name) => {
      const before = api.dump();
      const { person, path } = asked(route);
      const answer = await api.ask(person, method, `${path}?${name}=true`, body);
      expect(answer.status, answer.text).toBe(400);
      expect(answer.body.errors).toEqual([
        { field: name, message: expect.stringContaining("is not a parameter of this operation") },
      ]);
      expect(api.dump()).toBe(before);
    });

    const conditions =
      method === "GET" ? ["X-Dry-Run"] : ["X-Dry-Run", "If-Match", "If-None-Match"];
    const foreign = conditions.filter((name) => !route.headers?.some((each) => each === name));
    it.each(foreign)("does not know the header %s", async (name) => {
      const before = api.dump();
      const { person, path } = asked(route);
      const answer = await api.ask(person, method, path, body, { [name]: "*" });
      expect(answer.status, answer.text).toBe(400);
      expect(answer.body.errors).toEqual([
        { field: name, message: "is not a header of this operation" },
      ]);
      expect(api.dump()).toBe(before);
    });

    if (!route.query?.includes("dry_run"))
      it("does not know dry_run", async () => {
        const before = api.dump();
        const { person, path } = asked(route);
        for (const name of ["dry_run", "dryRun"])
          expect(await api.ask(person, method, `${path}?${name}=true`, body)).toMatchObject({
            status: 400,
            body: { errors: [{ field: name }] },
          });
        expect(api.dump()).toBe(before);
      });
  },
);

it("names what an operation takes, and every name that is wrong", async () => {
  const { body } = await api.ask("ann", "GET", `${v1}/clusters?b=1&limit=1&a=2`);
  const takes = "it takes filter, order, limit, offset, page_token, ids_only";
  expect(body.errors).toEqual(
    ["a", "b"].map((field) => ({
      field,
      message: `is not a parameter of this operation: ${takes}`,
    })),
  );
});

it("says which methods a path has, to who asks it with another", async () => {
  for (const [path, methods] of [
    [`${v1}/clusters`, "GET, POST"],
    [`${v1}/clusters/x`, "GET, PATCH, DELETE"],
    [`${v1}/clusters/x/retry`, "POST"],
    ["/healthz", "GET"],
  ] as const) {
    const { status, headers } = await api.ask("ann", "PUT", path, {});
    expect([status, headers.get("Allow")]).toEqual([501, methods]);
  }
});

it("tells nobody who may not ask at all", async () => {
  expect((await api.ask("nobody", "GET", `${v1}/clusters?nothing=1`)).status).toBe(401);
});

it("takes parameters in the spelling of bodies, and not in both", async () => {
  const path = `${v1}/projects/${ids.project}`;
  const change = { metadata: { labels: { a: "b" } }, spec: { title: "T" } };
  for (const name of ["update_mask", "updateMask"]) {
    const answer = await api.ask("amy", "PATCH", `${path}?${name}=metadata.labels`, change);
    expect(answer.body.spec).not.toHaveProperty("title");
  }
  const both = `${path}?update_mask=metadata.labels&updateMask=metadata.labels`;
  expect(await api.ask("amy", "PATCH", both, change)).toMatchObject({
    status: 400,
    body: { message: "update_mask is given more than once" },
  });
});

it("knows what OSAC's clients send", async () => {
  const offers = `${v1}/cluster_catalog_items?include_unpublished=true&limit=5&offset=0`;
  expect((await api.ask("ann", "GET", offers)).status).toBe(200);
});

it.each(["limit", "offset"])("refuses an empty %s", async (name) => {
  for (const path of [`${v1}/clusters`, `${priv}/audit_entries`]) {
    const answer = await api.ask("admin", "GET", `${path}?tenant=tenant-a&${name}=`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).not.toEqual([]);
  }
});

it("refuses a body where an operation has none, and reads it strictly", async () => {
  const actions = routes.filter(
    ({ body, verb }) => body && !/create|update|report|issue|replay/.test(verb),
  );
  expect(actions.length).toBeGreaterThan(10);
  for (const route of actions) {
    const before = api.dump();
    const { person, path } = asked(route);
    for (const body of ["not json", "[1]", '{"unknown":1}', '{"a":1,"a":2}'])
      expect((await api.ask(person, route.method, path, body)).status, `${path} ${body}`).toBe(400);
    const bytes = new Uint8Array([0xff]);
    expect((await api.send(person, route.method, path, { body: bytes })).status).toBe(400);
    expect(api.dump()).toBe(before);
  }
});
