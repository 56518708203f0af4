import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../../../core/kernel/store/store.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { createApp } from "../../../../functions/api/app.ts";
import {
  type Api,
  catalogApi,
  order,
  type Person,
  people,
  priv,
  v1,
} from "../../../support/api.ts";
import { claims } from "../../../support/books/claims.ts";
import { Table } from "../../../support/books/table.ts";
import { type Calls, counting } from "../../../support/counting-store.ts";

/** Lists that a label narrows: what is in them, page by page, and what they read. */

let api: Api;
const opened = async () => {
  api = await catalogApi();
};

const created = async (
  name: string,
  labels: Record<string, string>,
  { as = "amy", project }: { as?: Person; project?: string } = {},
): Promise<string> => {
  await api.deps.clock.advance(1000);
  const body = order(name, {}, { labels, ...(project && { project }) });
  const { status, body: answer, text } = await api.ask(as, "POST", `${v1}/clusters`, body);
  expect(status, text).toBe(200);
  return answer.id;
};
const relabelled = (id: string, labels: object) =>
  api.ask("amy", "PATCH", `${v1}/clusters/${id}`, { metadata: { labels } });

const prod = "this.metadata.labels['env'] == 'prod'";
const list = async (query: Record<string, string>, as: Person = "amy", path = `${v1}/clusters`) => {
  const { status, body, text } = await api.ask(as, "GET", `${path}?${new URLSearchParams(query)}`);
  expect(status, text).toBe(200);
  return {
    names: body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
    total: body.total as number,
    next: body.next_page_token as string | undefined,
  };
};
const names = async (filter: string, as?: Person, path?: string) =>
  (await list({ filter }, as, path)).names;

/** The answer to amy over another store than the tests' own. */
const askOver = (store: Store, query: Record<string, string>) =>
  createApp({ ...api.deps, store }, { profile: "slipway", principal: () => people.amy }).request(
    `${v1}/clusters?${new URLSearchParams(query)}`,
  );

/** What the store was asked for a list. */
async function readFor(query: Record<string, string>): Promise<Calls> {
  const { counted, calls } = counting(api.deps.store);
  expect((await askOver(counted, query)).status).toBe(200);
  return calls;
}

/** Entries of labels that are left over, or that an object lacks. */
const wrong = () =>
  claims.wrong({ table: new Table(api.deps.store, kinds), kinds, now: 0, wall: 0 });

describe("a list that a label narrows", () => {
  beforeEach(opened);

  it("is in order of creation, page by page, with the total", async () => {
    for (const n of [1, 2, 3, 4, 5])
      await created(`c${n}`, { env: n === 2 ? "test" : "prod", [`n-${n}`]: "" });
    const first = await list({ filter: prod, limit: "3" });
    expect(first).toMatchObject({ names: ["c1", "c3", "c4"], total: 4 });
    expect(await list({ filter: prod, limit: "3", page_token: first.next ?? "" })).toEqual({
      ...{ names: ["c5"], total: 4, next: undefined },
    });
    expect(await list({ filter: prod, offset: "1", limit: "2" })).toMatchObject({
      ...{ names: ["c3", "c4"], total: 4, next: expect.any(String) },
    });
    // Said twice, it is one label.
    expect(await list({ filter: `${prod} || ${prod}` })).toMatchObject({ total: 4 });
    expect(await list({ filter: prod, offset: "4" })).toMatchObject({ names: [], total: 4 });
    expect(await list({ filter: prod, limit: "0" })).toMatchObject({ names: [], total: 4 });
    expect((await list({ filter: prod, order: "metadata.name desc", limit: "2" })).names).toEqual([
      ...["c5", "c4"],
    ]);
  });

  it("refuses a page token of another label, and goes on with its own while labels change", async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3, 4, 5]) ids.push(await created(`c${n}`, { env: "prod" }));
    await created("other", { env: "test" });
    const { next: page_token = "", total } = await list({ filter: prod, limit: "2" });
    expect(total).toBe(5);
    const other = new URLSearchParams({ filter: prod.replace("prod", "test"), page_token });
    expect((await api.ask("amy", "GET", `${v1}/clusters?${other}`)).status).toBe(400);
    const plain = new URLSearchParams({ page_token });
    expect((await api.ask("amy", "GET", `${v1}/clusters?${plain}`)).status).toBe(400);

    // The one that the token names, one behind it, and one that comes.
    await relabelled(ids[1] ?? "", { env: "test" });
    await relabelled(ids[3] ?? "", {});
    await created("late", { env: "prod" });
    const rest = await list({ filter: prod, page_token });
    // The total is that of the first page.
    expect(rest).toEqual({ names: ["c3", "c5", "late"], total: 5, next: undefined });
    expect(await list({ filter: prod })).toMatchObject({ total: 4 });
    expect(wrong()).toEqual([]);
  });

  it("lacks an object whose label went after its entry was read", async () => {
    const ids = [await created("one", { env: "prod" }), await created("two", { env: "prod" })];
    const { counted } = counting(api.deps.store);
    const late: Store = {
      ...counted,
      async query(query) {
        const page = await counted.query(query);
        if (query.pk.startsWith("label#")) await relabelled(ids[0] ?? "", {});
        return page;
      },
    };
    const { items } = JSON.parse(await (await askOver(late, { filter: prod })).text());
    expect(items.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
  });

  it("reads 10,000 objects at most, where the label alone does not say which", async () => {
    await created("one", { env: "prod", tier: "high" });
    const { counted } = counting(api.deps.store);
    const asked = async (among: number, filter: string, order = "") => {
      const many: Store = {
        ...counted,
        count: async (query) =>
          query.pk.endsWith("env=prod")
            ? { count: Math.min(among, query.limit ?? among) }
            : counted.count(query),
      };
      return JSON.parse(await (await askOver(many, { filter, order })).text());
    };
    const beside = `${prod} && this.metadata.name != 'x'`;
    expect((await asked(10_000, beside)).total).toBe(1);
    for (const refused of [asked(10_001, beside), asked(10_001, prod, "metadata.name")])
      expect((await refused).detail).toContain("would read more than 10000 objects");
    expect((await asked(10_001, prod)).total).toBe(10_001);
    expect((await asked(10_001, `${prod} && this.metadata.labels.tier == 'high'`)).total).toBe(1);
  });

  it("follows labels that come, change and go, and objects that go", async () => {
    const made = async (name: string, labels: object) => {
      const body = { metadata: { name, labels } };
      return (await api.ask("amy", "POST", `${v1}/projects`, body)).body.id as string;
    };
    const path = `${v1}/projects`;
    const [one] = [await made("one", { env: "prod", team: "red" }), await made("two", {})];
    const found = () => names(prod, "amy", path);
    expect(await found()).toEqual(["one"]);
    const patched = (labels: unknown) =>
      api.ask("amy", "PATCH", `${path}/${one}`, { metadata: { labels } });
    await patched({ env: "test", team: "red" });
    expect(await found()).toEqual([]);
    expect(wrong()).toEqual([]);
    await patched({ env: "prod" });
    expect(await found()).toEqual(["one"]);
    await patched(null);
    expect(await found()).toEqual([]);
    expect(wrong()).toEqual([]);
    await patched({ env: "prod" });
    expect((await api.ask("amy", "DELETE", `${path}/${one}`)).status).toBe(200);
    expect(await list({ filter: prod }, "amy", path)).toMatchObject({ names: [], total: 0 });
    expect(wrong()).toEqual([]);
  });

  it("shows each their own: tenants, members of projects, the provider", async () => {
    for (const path of ["shop", "shop.web", "shopping"])
      await api.ask("amy", "POST", `${v1}/projects`, { metadata: { name: path } });
    await api.ask("amy", "POST", `${v1}/project_memberships`, {
      metadata: { name: "mia", project: "shop" },
      spec: { role: "PROJECT_MEMBERSHIP_ROLE_VIEWER", users: ["mia"] },
    });
    const env = { env: "prod" };
    await created("web", env, { project: "shop.web" });
    await created("theirs", env, { as: "bob" });
    await created("none", env);
    await created("shop", env, { project: "shop" });
    await created("test", { env: "test" }, { project: "shop" });
    await created("ping", env, { project: "shopping" });
    await created("again", env, { project: "shop.web" });
    const seen = async (as: Person, path?: string) => {
      const { names, total } = await list({ filter: prod }, as, path);
      expect(total).toBe(names.length);
      return names;
    };
    expect(await seen("amy")).toEqual(["web", "none", "shop", "ping", "again"]);
    expect(await seen("bob")).toEqual(["theirs"]);
    expect(await seen("mia")).toEqual(["shop", "web", "again"]);
    expect(await seen("vic")).toEqual([]);
    const all = ["web", "theirs", "none", "shop", "ping", "again"];
    expect(await seen("admin", `${priv}/clusters`)).toEqual(all);
    expect(await names(`${prod} && this.metadata.name != 'web'`, "mia")).toEqual(["shop", "again"]);

    const behind = async (offset: string) => (await list({ filter: prod, offset }, "mia")).names;
    expect([await behind("1"), await behind("2")]).toEqual([["web", "again"], ["again"]]);
    const first = await list({ filter: prod, limit: "1" }, "mia");
    expect(first).toMatchObject({ names: ["shop"], total: 3 });
    const second = await list({ filter: prod, limit: "2", page_token: first.next ?? "" }, "mia");
    expect(second).toEqual({ names: ["web", "again"], total: 3, next: undefined });
    expect(wrong()).toEqual([]);
  });

  it("hides of the offers what a list without a label hides", async () => {
    const obsolete = { labels: { env: "prod" } };
    const versions = `${priv}/cluster_versions`;
    const { body } = await api.ask("admin", "GET", versions);
    for (const { id } of body.items)
      await api.ask("admin", "PATCH", `${versions}/${id}`, { metadata: obsolete });
    expect(await names(prod, "amy", `${v1}/cluster_versions`)).toEqual(["4-17-0"]);
    expect(await list({ filter: prod }, "admin", versions)).toMatchObject({ total: 2 });
  });
});

describe("a filter of a label", () => {
  beforeAll(async () => {
    await opened();
    await created("a", { env: "prod", "app.example.com/part-of": "shop" });
    await created("b", { env: "prod", empty: "" });
    await created("c", { env: "test" });
    await created("d", {});
  });

  it.each([
    ["this.metadata.labels.env == 'prod'", ["a", "b"]],
    ["'prod' == this.metadata['labels'].env", ["a", "b"]],
    ["this.metadata.labels['app.example.com/part-of'] == 'shop'", ["a"]],
    ["this.metadata.labels.empty == ''", ["b"]],
    ["this.metadata.labels.env == ''", []],
    [`${prod} && this.metadata.labels.empty == ''`, ["b"]],
    [`${prod} && this.metadata.name != 'b'`, ["a"]],
    [`${prod} && this.metadata.labels.env == 'test'`, []],
    [`${prod} || this.metadata.labels.env == 'test'`, ["a", "b", "c"]],
    ["this.metadata.labels.env != 'prod'", ["c", "d"]],
    ["this.metadata.labels.nobody == 'has-it'", []],
    // No label can be so.
    ["this.metadata.labels.env == 'pr=od#'", []],
  ])("has what the filter says: %s", async (filter, expected) => {
    const found = await list({ filter });
    expect(found).toMatchObject({ names: expected, total: expected.length });
  });

  it("is empty for a label that is too long for any object", async () => {
    const filter = `this.metadata.labels['${"x".repeat(3000)}'] == 'x'`;
    expect(await list({ filter })).toMatchObject({ names: [], total: 0 });
  });
});

describe("what a list reads", () => {
  beforeAll(async () => {
    await opened();
    for (let n = 0; n < 20; n++)
      await created(`c${n}`, { env: n % 2 ? "prod" : "test", tier: n % 10 ? "low" : "high" });
  });

  it("of a label: the entries and the objects that it shows, and one to see whether there are more", async () => {
    const page = { filter: prod, limit: "3" };
    const { next: page_token = "" } = await list(page);
    const first = await readFor(page);
    expect(first).toMatchObject({ count: 1, counted: 10, written: 0 });
    // The user; of each cluster its entry, itself and its operation; and the next entry.
    expect(first.read).toBe(1 + 3 * 3 + 1);
    const { count, counted, read } = await readFor({ ...page, page_token });
    expect({ count, counted, read }).toEqual({ count: 0, counted: 0, read: first.read });
  });

  it("of a label beside something else: the objects of the label that the fewest have", async () => {
    const both = {
      filter: "this.metadata.labels.tier == 'high' && this.metadata.name != 'c10'",
    };
    expect((await list(both)).names).toEqual(["c0"]);
    const { read } = await readFor(both);
    // The user; two entries and their objects; an operation.
    expect(read).toBe(1 + 2 * 2 + 1);
  });

  it("of several labels: the objects that it shows, and keys of the rest", async () => {
    const both = {
      filter: "this.metadata.labels.tier == 'low' && this.metadata.labels.env == 'test'",
      limit: "3",
    };
    const { names: found, next: page_token = "", total } = await list(both);
    expect({ found, total }).toEqual({ found: ["c2", "c4", "c6"], total: 8 });
    // The user, and of each cluster itself and its operation.
    expect((await readFor(both)).read).toBe(1 + 3 * 2);
    const { read, count } = await readFor({ ...both, page_token });
    expect({ read, count }).toEqual({ read: 1 + 3 * 2, count: 0 });
    // A token of other labels, and one of a list that there is not.
    const others = { ...both, filter: both.filter.replace("'low'", "'high'") };
    expect((await askOver(api.deps.store, { ...others, page_token })).status).toBe(400);
    const changed = { ...JSON.parse(Buffer.from(page_token, "base64url").toString()), merged: [2] };
    const forged = Buffer.from(JSON.stringify(changed)).toString("base64url");
    expect((await askOver(api.deps.store, { ...both, page_token: forged })).status).toBe(400);
  });

  it("behind an offset: nothing of what it skips", async () => {
    const { read: atStart } = await readFor({ limit: "2" });
    const { read, count, counted } = await readFor({ limit: "2", offset: "15" });
    expect({ read, count, counted }).toEqual({ read: atStart, count: 1, counted: 15 });
    expect((await list({ limit: "2", offset: "15" })).names).toEqual(["c15", "c16"]);
    const label = await readFor({ filter: prod, limit: "2", offset: "7" });
    expect(label).toMatchObject({ count: 2, counted: 10 + 7 });
    expect((await list({ filter: prod, limit: "2", offset: "7" })).names).toEqual(["c15", "c17"]);
  });
});
