import { expect, it } from "vitest";
import { orderServer, serverOf, siteWithServers } from "../../support/instances.ts";
import { metal } from "../../support/managed-hosts.ts";
import { openSite, type Site, type Wire } from "../../support/site.ts";
import { setHub } from "../../support/waiting.ts";

/** Where there is room for what stands on a hub. */

const inEurope = { placement: { region: "eu-west" } };
const planOf = async (site: Site, hub: string): Promise<Wire> =>
  (await site.admin("GET", `hubs/${hub}/drain_plan`)).body;

it("finds room by the rules of placement, cluster by cluster, and says where there is none", async () => {
  const site = await openSite();
  const order = (name: string, size: number) =>
    site.order(name, { ...inEurope, node_sets: { workers: { size } } });
  await site.settled(await order("small", 2));
  await site.settled(await order("large", 4));
  const alone = await planOf(site, "hub-a");
  expect(alone).toMatchObject({ without_room: 2, hosts: { total: 12, used: 6 } });
  expect(alone.clusters[0].why).toBe("there is no other hub in the region");

  // The other hub comes to the region, with six hosts of the type.
  await setHub(site.laptop.deps, "hub-b", { region: "eu-west" });
  const both = await planOf(site, "hub-a");
  const room_at = { id: "hub-b", name: "hub-b" };
  expect(both.clusters.map(({ name, state }: Wire) => [name, state])).toEqual([
    ["large", "CLUSTER_STATE_READY"],
    ["small", "CLUSTER_STATE_READY"],
  ]);
  expect(both).toMatchObject({ clusters: [{ room_at }, { room_at }], without_room: 0 });

  const hosts = "hosts?filter=this.spec.hub=='hub-b'%26%26this.spec.host_type=='fc430'";
  const [{ id }] = (await site.admin("GET", hosts)).body.items;
  await site.admin("POST", `hosts/${id}/maintain`);
  await site.laptop.pass(1000);
  const short = await planOf(site, "hub-a");
  expect(short).toMatchObject({ clusters: [{ room_at }, {}], without_room: 1 });
  expect(short.clusters[1]).toMatchObject({ name: "small", why: "hub-b lacks 1 fc430" });

  await setHub(site.laptop.deps, "hub-b", { cordoned: true });
  const [first] = (await planOf(site, "hub-a")).clusters;
  expect(first).not.toHaveProperty("room_at");
  expect(first.why).toBe("hub-b is cordoned");
});

it("is for the provider's people, of hubs that are there", async () => {
  const site = await openSite();
  for (const id of ["nowhere", "z".repeat(2048)])
    expect((await site.admin("GET", `hubs/${id}/drain_plan`)).status).toBe(404);
  const empty = await planOf(site, "hub-b");
  expect(empty).toMatchObject({ clusters: [], without_room: 0, hosts: { used: 0 } });
});

it("names tenants' servers with their hosts, and how many wait for what the hub has", async () => {
  const site = await openSite();
  await siteWithServers(site, 1);
  const id = await orderServer(site, "db-1");
  await site.laptop.until(
    async () => (await serverOf(site, id)).status.state === "BARE_METAL_INSTANCE_STATE_RUNNING",
    "the server",
  );
  await orderServer(site, "db-2");
  await orderServer(site, "db-3");
  await site.laptop.pass(1000);
  const plan = await planOf(site, "hub-a");
  expect(plan.servers).toEqual([
    expect.objectContaining({
      ...{ id, name: "db-1", tenant: "tenant-a", host_type: metal },
      why: "there is no other hub in the region",
    }),
  ]);
  expect(plan.without_room).toBe(1);
  expect(plan.queues).toContainEqual({ waits_for: "hosts", host_type: metal, orders: 2 });

  await setHub(site.laptop.deps, "hub-b", { region: "eu-west" });
  const [server] = (await planOf(site, "hub-a")).servers;
  expect(server.why).toMatch(/^hub-b lacks 1 /);
});
