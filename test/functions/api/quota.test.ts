import { beforeEach, describe, expect, it } from "vitest";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";
import { wrongInQuotas } from "../../support/books/quotas.ts";
import { Table } from "../../support/books/table.ts";
import { testDeps } from "../../support/deps.ts";

/** A cluster of the catalog's template counts for one control plane, two small hosts and a large one. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const quota = (limits: object, metadata: object = {}) =>
  api.ask("admin", "POST", `${priv}/quotas`, {
    metadata: { name: "q", tenant: "tenant-a", ...metadata },
    spec: { limits },
  });
const post = (name: string, spec: object = {}, metadata: object = {}, query = "") =>
  api.ask("ann", "POST", `${v1}/clusters${query}`, order(name, spec, metadata));
const usage = async (id: string) =>
  (await api.ask("ann", "GET", `${v1}/quotas/${id}`)).body.status.usage;
const books = () => wrongInQuotas(new Table(api.deps.store, kinds));

describe("a quota", () => {
  it("says what is used, in a get and in a list", async () => {
    const { body } = await quota({ control_planes: 5 });
    await post("one");
    const used = {
      control_planes: 1,
      hosts: { small: 2, large: 1 },
      floating_ips: 2,
      storage_clusters: 0,
      virtual_networks: 0,
      subnets: 0,
      security_groups: 0,
      external_ips: 0,
      nat_gateways: 0,
    };
    expect(await usage(body.id)).toEqual(used);
    const list = await api.ask("ann", "GET", `${v1}/quotas`);
    expect(list.body.items).toMatchObject([{ id: body.id, status: { usage: used } }]);
    expect((await api.ask("bob", "GET", `${v1}/quotas`)).body.total).toBe(0);
    expect((await api.ask("amy", "PATCH", `${v1}/quotas/${body.id}`, {})).status).toBe(501);
  });

  it("is one of a tenant, and names host types that are there", async () => {
    const first = await quota({ hosts: { small: 1 } });
    const { body } = await quota({ hosts: { tiny: 1 } }, { name: "other" });
    expect(body.errors).toEqual([
      { field: "metadata.tenant", message: `'tenant-a' already has a quota: '${first.body.id}'` },
      { field: "spec.limits.hosts.tiny", message: 'HostType "tiny" not found' },
    ]);
    const nobodys = await quota({}, { tenant: "" });
    expect(nobodys.body.errors[0].field).toBe("metadata.tenant");
  });

  it("counts on when it is changed or deleted", async () => {
    await post("one");
    const { body } = await quota({ control_planes: 1 });
    expect((await post("two")).status).toBe(403);
    const path = `${priv}/quotas/${body.id}`;
    await api.ask("admin", "PATCH", path, { spec: { limits: { control_planes: 2 } } });
    expect((await post("two")).status).toBe(200);
    expect((await post("three")).status).toBe(403);
    expect((await api.ask("admin", "DELETE", path)).status).toBe(200);
    expect((await post("three")).status).toBe(200);
    const again = await quota({});
    expect(await usage(again.body.id)).toMatchObject({ control_planes: 3, hosts: { small: 6 } });
  });
});

describe("an order beyond it", () => {
  it("is refused with everything that is too much, and takes nothing", async () => {
    await quota({ control_planes: 1, hosts: { small: 3, large: 0 }, floating_ips: 4 });
    const before = api.dump();
    const { status, body } = await post("one", { node_sets: { workers: { size: 4 } } });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 8, title: "Quota exceeded", retryable: false });
    expect(body.quota).toEqual([
      { tenant: "tenant-a", dimension: "hosts", host_type: "small", limit: 3, used: 0, asked: 4 },
      { tenant: "tenant-a", dimension: "hosts", host_type: "large", limit: 0, used: 0, asked: 1 },
    ]);
    expect(body.errors[0]).toEqual({
      field: "spec.node_sets",
      message: "tenant 'tenant-a' has 0 of at most 3 hosts of type small, and this asks for 4 more",
    });
    expect(api.dump()).toBe(before);
    expect((await post("one", {}, {}, "?dry_run=true")).status).toBe(403);
  });

  it("is refused by the quota of its project, or of one above", async () => {
    for (const name of ["shop", "shop.web"])
      await api.ask("amy", "POST", `${v1}/projects`, { metadata: { name } });
    await quota({ control_planes: 2 }, { name: "shop", project: "shop" });
    expect((await post("a", {}, { project: "shop" })).status).toBe(200);
    expect((await post("b", {}, { project: "shop.web" })).status).toBe(200);
    const refused = await post("c", {}, { project: "shop.web" });
    expect(refused.body.quota).toEqual([
      {
        tenant: "tenant-a",
        project: "shop",
        dimension: "control_planes",
        limit: 2,
        used: 2,
        asked: 1,
      },
    ]);
    expect((await post("c")).status).toBe(200);
    expect(books()).toEqual([]);
  });

  it("is any where nothing is given by default", async () => {
    api = await catalogApi(testDeps({ defaultQuota: "zero" }));
    expect((await post("one")).body.quota).toHaveLength(4);
    await quota({ control_planes: 1, floating_ips: 2, hosts: { small: 2, large: 1 } });
    expect((await post("one")).status).toBe(200);
  });

  it("is let in exactly as often as there is room, however many come at once", async () => {
    await quota({ control_planes: 7 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => post(`c-${n}`).then(({ status }) => status)),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(7);
    expect(answers.filter((status) => status === 403)).toHaveLength(33);
    expect(books()).toEqual([]);
  });
});

describe("a change", () => {
  it("takes more at once, and gives back when it is cancelled", async () => {
    const { body: limits } = await quota({ hosts: { small: 5 } });
    const { body } = await post("one");
    const path = `${v1}/clusters/${body.id}`;
    const resized = (size: number) =>
      api.ask("ann", "PATCH", `${path}?update_mask=spec.node_sets.workers`, {
        spec: { node_sets: { workers: { size } } },
      });
    expect((await resized(6)).body.quota).toEqual([
      { tenant: "tenant-a", dimension: "hosts", host_type: "small", limit: 5, used: 2, asked: 4 },
    ]);
    expect((await resized(5)).status).toBe(200);
    expect(await usage(limits.id)).toMatchObject({ hosts: { small: 5, large: 1 } });
    const wish = await resized(3);
    // Until it is known what is given back, it counts.
    expect(await usage(limits.id)).toMatchObject({ hosts: { small: 5 } });
    const queued = wish.body.status.queued_operation;
    expect((await api.ask("ann", "POST", `${v1}/operations/${queued}/cancel`)).status).toBe(200);
    expect(await usage(limits.id)).toMatchObject({ hosts: { small: 2 } });
    expect(books()).toEqual([]);
    await api.ask("ann", "DELETE", path);
    expect(await usage(limits.id)).toMatchObject({ hosts: { small: 2 } });
  });
});
