import { isDeepStrictEqual } from "node:util";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Kind, pluralOf } from "../../../core/kernel/object/object.ts";
import { relay } from "../../../core/kernel/relay/relay.ts";
import { issue } from "../../../core/resources/cluster/credentials.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type Answer, type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";
import { bodies, type Ids, oneOfEach } from "../../support/one-of-each.ts";

/**
 * What another tenant has does not exist, wherever one looks for it: bob of tenant-b asks for what
 * tenant-a has, and for what nobody has, and is told the same, byte for byte.
 */

let api: Api;
let ids: Ids;
async function begin(): Promise<void> {
  api = await catalogApi();
  ids = await oneOfEach(api);
  let relayed: string | undefined;
  for (const record of api.deps.store.stream(relayed, 10_000)) {
    await relay(api.deps, sagas, record);
    relayed = record.sequence;
  }
}

/** What an answer says but for its request and its time, with `id` as if it were any. */
const bytes = ({ status, headers, text }: Answer, id: string) => ({
  status,
  headers: [...headers].filter(([name]) => name !== "x-request-id" && name !== "date"),
  text: text.replace(/"request_id":"[^"]*"/, "").replaceAll(id, "ID"),
});

const missing = "0199aaaa-0000-7000-8000-000000000000";

/** Asks for another tenant's and for nobody's; answers what is told of both. */
async function bothWays(id: string, ask: (id: string) => Promise<Answer>) {
  const theirs = bytes(await ask(id), id);
  expect(theirs).toEqual(bytes(await ask(missing), missing));
  return theirs;
}

const owned = [
  "cluster",
  "operation",
  "tenant",
  "project",
  "project_membership",
  "quota",
  "webhook",
  "cluster_catalog_item",
  "baremetal_instance_catalog_item",
  "user",
  "role_binding",
  "identity_provider",
  "secret",
] as const;
const collection = (kind: Kind) => `${v1}/${pluralOf(kind)}`;

describe.each(owned)("another tenant's %s", (kind) => {
  // All are refused, so that none changes what the next one finds.
  beforeAll(begin);
  const idOf = () => ids[kind] ?? "";

  it.each([
    ["GET", "", undefined],
    ["PATCH", "", { metadata: { labels: { a: "b" } } }],
    ["PATCH", "", {}],
    ["PATCH", "", { metadata: { name: "other" }, spec: { junk: 1 } }],
    ["PATCH", "?update_mask=metadata.labels", { metadata: { labels: {} } }],
    ["PATCH", "?update_mask=nonsense", {}],
    ["PATCH", "?lock=true", { metadata: { version: 7 } }],
    ["DELETE", "", undefined],
    ["DELETE", "?dry_run=true", undefined],
  ])("is not there for %s%s", async (method, query, body) => {
    const before = api.dump();
    await bothWays(idOf(), (id) =>
      api.ask("bob", method, `${collection(kind)}/${id}${query}`, body),
    );
    expect(api.dump()).toBe(before);
  });

  it("is not there for a condition on its version", async () => {
    for (const match of ['"0"', '"7"', "*", "x"])
      await bothWays(idOf(), (id) =>
        api.ask("bob", "PATCH", `${collection(kind)}/${id}`, {}, { "If-Match": match }),
      );
  });

  it("is in no list, and no filter finds it", async () => {
    const name = Object(bodies)[kind]?.metadata.name ?? "none";
    const asked = [
      (id: string) => `this.id == "${id}"`,
      (id: string) => `this.id in ["${id}"]`,
      (id: string) => `this.id in ["x", "${id}", "${missing}"]`,
      (id: string) => `this.id == "${id}" || this.id == "x"`,
      (id: string) => `this.id.startsWith("${id}")`,
      (id: string) => `this.metadata.name == "${name}" && this.id == "${id}"`,
      (id: string) => `this.metadata.tenant == "tenant-a" && this.id != "${id}"`,
      ...(kind === "operation" ? [(id: string) => `this.spec.target.id == "${id}"`] : []),
    ];
    for (const filterFor of asked) {
      const list = (id: string) => {
        const query = new URLSearchParams({ filter: filterFor(id) });
        return api.ask("bob", "GET", `${collection(kind)}?${query}`);
      };
      const { text } = await bothWays(idOf(), list);
      expect(JSON.parse(text)).toEqual({ size: 0, total: 0, items: [] });
    }
    const all = await api.ask("bob", "GET", `${collection(kind)}?limit=0`);
    expect(all.body.total).toBe(0);
  });

  it("is not on the page that the token of its owner leads to", async () => {
    const page = await api.ask("amy", "GET", `${collection(kind)}?limit=1&order=metadata.name`);
    const plain = await api.ask("amy", "GET", `${collection(kind)}?limit=1`);
    for (const { body } of [page, plain]) {
      const token = body.next_page_token ?? "eyJpbiI6MH0";
      const { body: told } = await api.ask("bob", "GET", `${collection(kind)}?page_token=${token}`);
      expect(told.items ?? []).toEqual([]);
    }
  });
});

describe("below another tenant's", () => {
  beforeAll(begin);
  it.each<[string, "cluster" | "operation" | "webhook", string, unknown?]>([
    ["GET", "cluster", "/kubeconfig"],
    ["GET", "cluster", "/password"],
    ["GET", "cluster", "/credentials"],
    ["POST", "cluster", "/credentials", issue.example],
    ["POST", "cluster", "/credentials", {}],
    ["POST", "cluster", "/credentials/revoke", {}],
    ["GET", "cluster", "/history"],
    ["GET", "cluster", "/history?limit=0"],
    ["POST", "cluster", "/retry", {}],
    ["POST", "operation", "/cancel", {}],
    ["POST", "operation", "/resume", {}],
    ["GET", "webhook", "/deliveries"],
    ["POST", "webhook", "/replay", { position: "0" }],
    ["POST", "webhook", "/replay", { position: "9".repeat(16) }],
    ["POST", "webhook", "/replay", {}],
    ["POST", "webhook", "/test", {}],
    ["POST", "webhook", "/rotate_secret", {}],
  ])("nothing is there: %s %s%s", async (method, kind, path, body) => {
    const before = api.dump();
    const ask = (id: string) => api.ask("bob", method, `${collection(kind)}/${id}${path}`, body);
    const { status } = await bothWays(ids[kind] ?? "", ask);
    // What lacks a member is refused before anybody looks for the object.
    const isLacking = isDeepStrictEqual(body, {}) && /^\/(replay|credentials)$/.test(path);
    expect(status).toBe(isLacking ? 400 : 404);
    expect(api.dump()).toBe(before);
    expect(api.deps.posts).toEqual([]);
  });

  it("what is gone has no history either", async () => {
    await begin();
    await api.ask("amy", "DELETE", `${v1}/webhooks/${ids.webhook}`);
    await bothWays(ids.webhook ?? "", (id) => api.ask("bob", "GET", `${v1}/webhooks/${id}`));
  });
});

describe("a request that refers to another tenant's", () => {
  const post = (kind: string, body: object) => api.ask("bob", "POST", `${v1}/${kind}`, body);
  let template: string;
  beforeEach(async () => {
    await begin();
    const { body } = await api.ask("admin", "GET", `${priv}/cluster_templates/ocp_small`);
    const { node_sets, parameters } = body;
    const own = { metadata: { name: "own", tenant: "tenant-a" }, node_sets, parameters };
    const made = await api.ask("admin", "POST", `${priv}/cluster_templates`, own);
    expect(made.status, made.text).toBe(200);
    template = made.body.id;
  });

  it.each(["string", "id", "name and id"])("template (by %s) finds none", async (form) => {
    const reference = (id: string) =>
      ({ string: id, id: { id }, "name and id": { id, name: "own" } })[form];
    const { status } = await bothWays(template, (id) =>
      post("clusters", order("one", { template: reference(id) })),
    );
    expect(status).toBe(400);
    await bothWays(template, (id) =>
      post("cluster_catalog_items", { metadata: { name: "i" }, template: reference(id) }),
    );
  });

  it("template by its name finds none", async () => {
    const ask = (name: string) => post("clusters", order("one", { template: { name } }));
    expect(bytes(await ask("own"), "own")).toEqual(bytes(await ask("none"), "none"));
  });

  it("catalog item finds none, whatever else is wrong", async () => {
    await api.ask("amy", "PATCH", `${v1}/cluster_catalog_items/${ids.cluster_catalog_item}`, {
      published: true,
    });
    for (const more of [{}, { template: "ocp_small" }, { version: "9-9-9" }])
      await bothWays(ids.cluster_catalog_item ?? "", (id) =>
        post("clusters", {
          metadata: { name: "one" },
          spec: { catalog_item: { id }, template_parameters: { owner: "me" }, ...more },
        }),
      );
    const items = await api.ask("bob", "GET", `${v1}/cluster_catalog_items`);
    expect(items.body.total).toBe(0);
  });

  it("secret finds none", async () => {
    const ask = (pull_secret_secret: object) =>
      post("clusters", order("one", { pull_secret_secret }));
    await bothWays(ids.secret ?? "", (id) => ask({ id }));
    expect(bytes(await ask({ name: "s" }), '\\"s\\"')).toEqual(
      bytes(await ask({ name: "t" }), '\\"t\\"'),
    );
  });

  it("project finds none", async () => {
    const ask = (project: string) => post("clusters", order("one", {}, { project }));
    expect(bytes(await ask("p"), "'p'")).toEqual(bytes(await ask("q"), "'q'"));
    await bothWays(ids.project ?? "", (id) =>
      post("projects", { metadata: { name: "sub" }, spec: { parent: { id } } }),
    );
  });

  it("tenant is refused the same, whether there is one of that name or not", async () => {
    const ask = (tenant: string) => post("clusters", order("one", {}, { tenant }));
    expect(bytes(await ask("tenant-a"), "tenant-a")).toEqual(
      bytes(await ask("tenant-z"), "tenant-z"),
    );
  });

  it("name may use the same: names are a tenant's own", async () => {
    for (const [kind, body] of [
      ["projects", { metadata: { name: "p" } }],
      ["clusters", order("one", {}, { project: "p" })],
      ["webhooks", bodies.webhook],
      ["cluster_catalog_items", bodies.cluster_catalog_item],
    ] as const)
      expect((await post(kind, body ?? {})).status, kind).toBe(200);
  });

  it("Idempotency-Key has none of its own under that", async () => {
    const key = { "Idempotency-Key": "k" };
    const theirs = await api.ask("ann", "POST", `${v1}/clusters`, order("two"), key);
    const own = await api.ask("bob", "POST", `${v1}/clusters`, order("two"), key);
    expect(own.status).toBe(200);
    expect(own.headers.get("Idempotent-Replayed")).toBeNull();
    expect(own.body.id).not.toBe(theirs.body.id);
    expect(own.body.metadata.tenant).toBe("tenant-b");
  });
});

describe("a watch", () => {
  beforeEach(begin);
  const watchPath = "/api/events/v1/events";

  it("of everything from the beginning tells nothing of another tenant", async () => {
    const theirs = await api.ask("amy", "GET", `${watchPath}?last_event_id=0`);
    expect(theirs.text).toContain(ids.cluster);
    const position = theirs.headers.get("Last-Event-ID") ?? "";
    for (const from of ["0", "0".repeat(16), position.slice(0, 16), position]) {
      const query = `${watchPath}?last_event_id=${from}`;
      const { text } = await api.deps.clock.until(api.ask("bob", "GET", query));
      for (const kind of owned) expect(text, kind).not.toContain(ids[kind]);
      expect(text).not.toContain("tenant-a");
    }
  });

  it("of another tenant is refused the same, whether there is one or not", async () => {
    const ask = (tenant: string) => api.ask("bob", "GET", `${watchPath}?tenant=${tenant}`);
    expect(bytes(await ask("tenant-a"), "tenant-a")).toEqual(
      bytes(await ask("tenant-z"), "tenant-z"),
    );
    expect((await ask("tenant-a")).status).toBe(400);
  });

  it("with a filter for what another tenant has waits like one for nothing", async () => {
    const ask = (id: string) => {
      const filter = `event.cluster.id == "${id}"`;
      const query = new URLSearchParams({ filter, last_event_id: "0" });
      return api.deps.clock.until(api.ask("bob", "GET", `${watchPath}?${query}`));
    };
    const { text } = await bothWays(ids.cluster ?? "", ask);
    expect(text).toBe("");
  });
});
