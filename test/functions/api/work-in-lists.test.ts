import { expect, it } from "vitest";
import { minutes } from "../../../core/clock.ts";
import { countKey, totalKeys } from "../../../core/kernel/object/keys.ts";
import { catalogApi, order, priv, v1 } from "../../support/api.ts";
import { atRest, orderOf, withNetworks } from "../../support/networks.ts";
import { openSite, type Site, type Wire } from "../../support/site.ts";

/** What lists tell of the operations under way. */

const listed = async (site: Site, kind: string, filter: string): Promise<Wire[]> => {
  const { status, body } = await site.api("GET", `${kind}?filter=${encodeURIComponent(filter)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items;
};

it.each([
  ["virtual_networks", { ipv4_cidr: "10.20.0.0/16" }, "fabric"],
  ["clusters", { template: "ocp_4_17_small", pull_secret: "{}" }, "DNS"],
])(
  "say of %s what they wait for and which are stalled, and find them by it",
  async (kind, spec, system) => {
    const site = await openSite();
    await withNetworks(site);
    const fault = { fault: "error", status: 503, count: 0 } as const;
    site.world.faults.add({ target: system.toLowerCase(), ...fault });
    const id =
      kind === "clusters" ? await site.order("one") : await orderOf(site, kind, "one", spec);
    const stalled = () => listed(site, kind, "has(this.status.stalled)");
    await site.laptop.pass(minutes(20));
    expect(await stalled()).toHaveLength(1);
    const [item] = await listed(site, kind, `this.status.waiting[0].system == "${system}"`);
    const { waiting, stalled: since } = item.status;
    expect(item.id).toBe(id);
    expect(waiting).toMatchObject([{ system, message: expect.stringContaining("503") }]);
    expect(since).toEqual({
      ...{ step: waiting[0].step, since: waiting[0].since, message: waiting[0].message },
      ...{ usual_end: expect.any(String), beyond_seconds: expect.any(Number) },
    });
    expect((await site.api("GET", `${kind}/${id}`)).body.status).toMatchObject({ waiting });
    site.world.faults.clear();
    const { status } = await atRest(site, kind, id);
    expect(status.state).toMatch(/READY$/);
    expect(status).not.toHaveProperty("waiting");
    expect(await stalled()).toEqual([]);
  },
);

it("have each object once, of which one operation runs and another waits", async () => {
  const site = await openSite();
  const id = await site.order("one");
  const sizes = { spec: { node_sets: { workers: { size: 3 } } } };
  await site.laptop.pass(minutes(1));
  expect((await site.api("PATCH", `clusters/${id}`, sizes)).status).toBe(200);
  const filter = encodeURIComponent("has(this.status.operation)");
  const { body } = await site.admin("GET", `clusters?filter=${filter}`);
  expect(body).toMatchObject({ size: 1, total: 1 });
  expect(body.items[0].status.queued_operation).toMatch(/./);
});

it("find operations that have not ended by their state, however many have", async () => {
  const api = await catalogApi();
  await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
  const [total] = totalKeys("operation");
  if (!total) throw new Error("operations have a total");
  const many = { count: 10_001 };
  await api.deps.store.transact([
    { put: { ...total, ...many } },
    { put: { ...countKey("operation", "tenant-a"), ...many } },
  ]);
  const find = (who: "admin" | "ann", area: string, state: string) =>
    api.ask(
      who,
      "GET",
      `${area}/operations?filter=this.status.state == "OPERATION_STATE_${state}"`,
    );
  for (const [state, size] of [
    ["PENDING", 1],
    ["RUNNING", 0],
    ["STUCK", 0],
  ] as const)
    expect(await find("admin", priv, state), state).toMatchObject({ status: 200, body: { size } });
  // Those that have ended are in no index, and a tenant's own are not in one of their own.
  expect((await find("admin", priv, "SUCCEEDED")).status).toBe(400);
  expect((await find("ann", v1, "PENDING")).status).toBe(400);
});

it("find what is under way, stalled or failed, a tenant's and a hub's, however much there is beside it", async () => {
  const site = await openSite();
  await withNetworks(site);
  const networks = "virtual_networks";
  const network = (name: string) => orderOf(site, networks, name, { ipv4_cidr: "10.20.0.0/16" });
  const found = async (kind: string, filter: string) => {
    const path = `${kind}?filter=${encodeURIComponent(filter)}`;
    const { status, body } = await site.admin("GET", path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.items.map(({ id }: Wire) => id);
  };
  site.world.faults.add({
    target: "fabric",
    operation: "POST /v2.0/routers",
    fault: "error",
    status: 400,
    count: 0,
  });
  const failed = await network("refused");
  await atRest(site, networks, failed);
  site.world.faults.clear();
  site.world.faults.add({ target: "fabric", fault: "error", status: 503, count: 0 });
  const stalled = await network("late");
  await site.laptop.pass(minutes(20));
  const [host] = (await site.admin("GET", "hosts?limit=1")).body.items;
  const cases: [string, string, string[]][] = [
    [networks, 'this.status.state == "VIRTUAL_NETWORK_STATE_FAILED"', [failed]],
    [networks, "has(this.status.operation)", [stalled]],
    [networks, 'has(this.status.operation) && this.status.waiting[0].message != ""', [stalled]],
    [networks, "has(this.status.stalled)", [stalled]],
    [networks, 'this.metadata.tenant == "nobody"', []],
    [
      networks,
      `this.metadata.tenant == "${tenantOf(await site.api("GET", `${networks}/${failed}`))}"`,
      [failed, stalled],
    ],
    ["hosts", `this.spec.hub == "${host.spec.hub}" && this.id == "${host.id}"`, [host.id]],
    ["hosts", 'this.spec.hub == "none"', []],
  ];
  const many = [...totalKeys("virtual_network"), ...totalKeys("host")];
  await site.laptop.store.transact(many.map((key) => ({ put: { ...key, count: 10_001 } })));
  for (const [kind, filter, ids] of cases)
    expect([filter, await found(kind, filter)]).toEqual([filter, ids]);
  // Nothing finds these but reading all of them.
  const refused = await site.admin(
    "GET",
    `${networks}?filter=${encodeURIComponent('this.spec.ipv4_cidr != ""')}`,
  );
  expect(refused.body.message).toContain("would read");
});

const tenantOf = ({ body }: { body: Wire }): string => body.metadata.tenant;
