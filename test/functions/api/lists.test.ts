import { beforeEach, describe, expect, it } from "vitest";
import { countKey } from "../../../core/kernel/object/keys.ts";
import { type Answer, type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
  for (const n of [1, 2, 3, 4, 5]) {
    await api.deps.clock.advance(1000);
    const labels = { tier: n % 2 ? "odd" : "even" };
    await api.ask(
      "ann",
      "POST",
      `${v1}/clusters`,
      order(`c${n}`, { node_sets: { workers: { size: 6 - n } } }, { labels }),
    );
  }
  await api.ask("bob", "POST", `${v1}/clusters`, order("theirs"));
});

const list = (
  query: Record<string, string> = {},
  kind = "clusters",
  person: "ann" | "admin" = "ann",
) => api.ask(person, "GET", `${v1}/${kind}?${new URLSearchParams(query)}`);
const names = ({ body }: Answer) =>
  body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);

describe("a list", () => {
  it("that no index narrows reads 10,000 objects at most", async () => {
    const counted = (count: number) =>
      api.deps.store.transact([{ put: { ...countKey("cluster", "tenant-a"), count } }]);
    const open = { filter: 'this.metadata.name != "c9"' };
    const fixed = { filter: 'this.metadata.name == "c1"' };
    await counted(10_000);
    expect((await list(open)).status).toBe(200);
    await counted(10_001);
    for (const query of [open, { order: "metadata.name" }])
      expect(await list(query)).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining("would read 10001 objects; above 10000") },
      });
    for (const query of [{}, fixed]) expect((await list(query)).status).toBe(200);
  });

  it("is in order of creation, with size and total", async () => {
    const answer = await list();
    expect(names(answer)).toEqual(["c1", "c2", "c3", "c4", "c5"]);
    expect(answer.body).toMatchObject({ size: 5, total: 5 });
    expect(answer.body).not.toHaveProperty("next_page_token");
  });

  it("is cut by offset and limit; limit 0 counts, and beyond the end is nothing", async () => {
    expect(names(await list({ offset: "1", limit: "2" }))).toEqual(["c2", "c3"]);
    expect((await list({ limit: "0" })).body).toEqual({ size: 0, total: 5, items: [] });
    expect((await list({ offset: "9" })).body).toEqual({ size: 0, total: 5, items: [] });
    expect(names(await list({ offset: "-3", limit: "1" }))).toEqual(["c1"]);
    expect((await list({ limit: "5000" })).body.size).toBe(5);
  });

  it.each<[Record<string, string>]>([
    [{}],
    [{ order: "metadata.name desc" }],
    [{ order: Array(16).fill("metadata.name").join(",") }],
    [{ filter: 'this.metadata.name != "c9"' }],
  ])(
    "goes on from page to page without loss or repetition while orders come in (%j)",
    async (query) => {
      const seen: string[] = [];
      let token: string | undefined;
      let pages = 0;
      do {
        const answer = await list({
          ...query,
          limit: "2",
          ...(token ? { page_token: token } : {}),
        });
        expect(answer.status, answer.text).toBe(200);
        seen.push(...names(answer));
        token = answer.body.next_page_token;
        await api.deps.clock.advance(1000);
        if (pages++ === 0) await api.ask("ann", "POST", `${v1}/clusters`, order("a-new-one"));
      } while (token);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((name) => name !== "a-new-one").sort()).toEqual([
        "c1",
        "c2",
        "c3",
        "c4",
        "c5",
      ]);
    },
  );

  it.each<[Record<string, string>, string]>([
    [{ limit: "abc" }, "limit"],
    [{ limit: "-1" }, "limit"],
    [{ offset: "1.5" }, "offset"],
    [{ offset: "10001" }, "offset"],
    [{ page_token: "nonsense" }, "page_token"],
    [{ page_token: "eyJpbiI6OTl9" }, "page_token"],
    [{ page_token: "eyJpbiI6MCwiYXQiOiJ4In0" }, "page_token"],
    [{ order: "metadata.color" }, "order"],
    [{ order: "metadata.name sideways" }, "order"],
    [{ order: Array(17).fill("id").join(",") }, "order"],
    [{ filter: "this.nothing == 1" }, "filter"],
    [{ filter: "(((" }, "filter"],
    [{ filter: "1 + 1" }, "filter"],
    [{ filter: "this.metadata.name" }, "filter"],
    [{ filter: "size(this.metadata.labels) == 1" }, "filter"],
    [{ filter: 'this.metadata.name.matches("c.*")' }, "filter"],
    [{ filter: "true ? true : false" }, "filter"],
    [{ filter: "this.spec.node_sets.exists(n, true)" }, "filter"],
    [{ filter: `this.id in [${"1,".repeat(500)}1]` }, "filter"],
    [{ filter: `${"(".repeat(200)}true${")".repeat(200)}` }, "filter"],
    [{ filter: "x".repeat(5000) }, "filter"],
    [{ filter: "metadata.name == 'c1'" }, "filter"],
    [{ filter: "this.constructor == null" }, "filter"],
  ])("is refused for %j", async (query, field) => {
    const answer = await list(query);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].field).toBe(field);
  });

  it("names page_token when the offset is deep, and refuses a parameter given twice", async () => {
    expect((await list({ offset: "10001" })).body.message).toContain("page_token");
    expect((await api.ask("ann", "GET", `${v1}/clusters?limit=1&limit=2`)).status).toBe(400);
  });
});

describe("order", () => {
  it.each([
    ["metadata.name desc", ["c5", "c4", "c3", "c2", "c1"]],
    ["this.spec.nodeSets.workers.size", ["c5", "c4", "c3", "c2", "c1"]],
    ["metadata.labels.tier desc, metadata.name desc", ["c5", "c3", "c1", "c4", "c2"]],
  ])("sorts by %s", async (text, expected) => {
    expect(names(await list({ order: text }))).toEqual(expected);
  });
});

describe("a filter", () => {
  it.each([
    ['this.metadata.name == "c2"', ["c2"]],
    ['this.metadata.labels["tier"] == "even"', ["c2", "c4"]],
    ['this.metadata.labels.tier != "even" && this.spec.node_sets.workers.size >= 3', ["c1", "c3"]],
    [
      "this.spec.node_sets.workers.size < 3 || this.metadata.name.startsWith('c1')",
      ["c1", "c4", "c5"],
    ],
    ['this.metadata.name in ["c1", "c5", "c9"]', ["c1", "c5"]],
    [
      '"tier" in this.metadata.labels && !("env" in this.metadata.labels) && this.metadata.name.endsWith("3")',
      ["c3"],
    ],
    ["this.status.state == 1", ["c1", "c2", "c3", "c4", "c5"]],
    [
      'this.status.state == "CLUSTER_STATE_PROGRESSING" && this.metadata.name.contains("4")',
      ["c4"],
    ],
    ["this.status.state in [2, 3]", []],
    [
      "this.status.state != 2 && this.metadata.deletion_timestamp == null && this.metadata.creation_timestamp < now",
      ["c1", "c2", "c3", "c4"],
    ],
    ["has(this.status.api_url)", []],
    ["this.status.api_url != 'x'", []],
    ["!(this.status.api_url == 'x')", []],
    // Texts of metadata are never absent, and a label that is not there is unlike any text.
    ["this.metadata.project == '' && this.metadata.name in ['c1', 'c2']", ["c1", "c2"]],
    ["this.metadata.project != 'x' && !this.metadata.name.endsWith('5')", ["c1", "c2", "c3", "c4"]],
    ["!this.metadata.project.startsWith('x') && 'c5' == this.metadata.name", ["c5"]],
    ["has(this.metadata.project) || this.metadata.project in ['a', 'b']", []],
    ["this.metadata.project == null && this.metadata.name == 'c1'", ["c1"]],
    ["this.metadata.deletion_timestamp < now", []],
    ["this.metadata.labels['zz'] != 'a' && this.metadata.name <= 'c2'", ["c1", "c2"]],
    ["!('a' == this.metadata.labels['zz']) && this.metadata.name <= 'c1'", ["c1"]],
    ["this.metadata.labels['zz'] == '' || this.metadata.labels['zz'] == 'a'", []],
    [
      "this.spec.template == 'ocp_small' && this.spec.version.name == '4-17-0' && 5 - 1 == this.spec.node_sets.workers.size",
      ["c2"],
    ],
    [
      "this.metadata.version == 0 && -1 < this.metadata.version && this.spec.node_sets.workers.size % 2 == 1",
      ["c1", "c3", "c5"],
    ],
  ])("%s", async (filter, expected) => {
    const answer = await list({ filter });
    expect(answer.status, answer.text).toBe(200);
    expect(names(answer)).toEqual(expected);
    expect(answer.body).toMatchObject({ size: expected.length, total: expected.length });
  });

  it("finds the operations of an object", async () => {
    const { body } = await list();
    const answer = await list(
      { filter: `this.spec.target.id == "${body.items[2].id}"` },
      "operations",
    );
    expect(
      answer.body.items.map(({ spec }: { spec: { target: { name: string } } }) => spec.target.name),
    ).toEqual(["c3"]);
  });

  it("of an administrator reaches every tenant", async () => {
    expect(
      names(await list({ filter: 'this.metadata.name == "theirs"' }, "clusters", "admin")),
    ).toEqual(["theirs"]);
    expect(names(await list({ filter: 'this.metadata.name == "theirs"' }))).toEqual([]);
  });
});

describe("shared kinds", () => {
  it("are listed to everybody; versions that cannot be ordered only when asked for", async () => {
    expect(names(await list({ order: "metadata.name" }, "host_types"))).toEqual(["large", "small"]);
    expect(names(await list({}, "cluster_versions"))).toEqual(["4-17-0"]);
    expect(names(await list({ filter: "this.spec.state == 3" }, "cluster_versions"))).toEqual([
      "4-12-0",
    ]);
    const all = await api.ask("admin", "GET", `${priv}/cluster_versions`);
    expect(all.body.total).toBe(2);
    expect(all.body.items[0].spec.image).toBeDefined();
    expect((await list({}, "cluster_versions")).body.items[0].spec).not.toHaveProperty("image");
  });

  it("put a tenant's own templates before the shared ones", async () => {
    const own = {
      metadata: { name: "own", tenant: "tenant-a" },
      node_sets: { w: { host_type: "small", size: 1 } },
    };
    await api.ask("admin", "POST", `${priv}/cluster_templates`, own);
    expect(names(await list({ limit: "1" }, "cluster_templates"))).toEqual(["own"]);
    const first = await list({ limit: "1" }, "cluster_templates");
    const second = await list(
      { limit: "1", page_token: first.body.next_page_token },
      "cluster_templates",
    );
    expect(names(second)).toEqual(["ocp-small"]);
    expect(first.body.total).toBe(2);
    expect((await api.ask("bob", "GET", `${v1}/cluster_templates`)).body.total).toBe(1);
  });
});
