import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { announcedKey } from "../../core/kernel/object/hub-keys.ts";
import { wrongInBooks } from "../support/books.ts";
import { noSite } from "../support/matrix/cluster-worlds.ts";
import { atRest, networkWithSubnet, orderOf, withNetworks } from "../support/networks.ts";
import { openSite, type Site } from "../support/site.ts";

/** Clusters whose hosts stand in tenants' subnets, through the API, the sagas and the simulated fabric. */

/** A site with a network, a subnet and a group of a tenant. */
async function withSubnet(): Promise<{ site: Site; network: string; subnet: string }> {
  const site = await openSite();
  await withNetworks(site);
  return { site, ...(await networkWithSubnet(site)) };
}

const web = { protocol: "PROTOCOL_TCP", port_from: 443, port_to: 443, ipv4_cidr: "0.0.0.0/0" };
const everything = { protocol: "PROTOCOL_ALL", ipv4_cidr: "0.0.0.0/0" };

async function readyGroup(site: Site, network: string, name = "web"): Promise<string> {
  const spec = { virtual_network: network, ingress: [web], egress: [everything] };
  const id = await orderOf(site, "security_groups", name, spec);
  expect((await atRest(site, "security_groups", id)).status.state).toMatch(/_READY$/);
  return id;
}

async function succeeded(site: Site, id: string): Promise<void> {
  const { status } = await site.settled(id);
  expect(status.state, JSON.stringify(status.error)).toBe("OPERATION_STATE_SUCCEEDED");
}

/** The bound ports of hosts on the fabric, with the names of their groups. */
const hostPorts = (site: Site): { address: string; groups: string[]; network: string }[] =>
  site.world.site.fabric.read(({ records }) =>
    records
      .all("port")
      .filter(({ vnic_type, vif_type }) => vnic_type === "baremetal" && vif_type === "other")
      .map((port) => ({
        address: port.fixed_ips[0]?.ip_address ?? "",
        network: records.get("network", port.network_id)?.name ?? "",
        groups: port.security_groups.map(
          (group) => records.get("security_group", group)?.name ?? "",
        ),
      })),
  );

it("puts a cluster's hosts into the tenant's subnet, with its groups, and takes them out again", {
  tags: "smoke",
}, async () => {
  const { site, network, subnet } = await withSubnet();
  const group = await readyGroup(site, network);
  const network_attachment = { subnet: "shop-web", security_groups: [{ name: "web" }] };
  const id = await site.order("c1", { network_attachment });
  await succeeded(site, id);
  const { spec, status } = await site.cluster(id);
  expect(spec.network_attachment).toEqual({
    subnet: { id: subnet, name: "shop-web" },
    security_groups: [{ id: group, name: "web" }],
  });
  expect(status.network).toMatchObject({ prefix: "10.20.1.0/24", gateway: "10.20.1.1" });
  const ports = hostPorts(site);
  expect(ports.map(({ address }) => address).toSorted()).toEqual([
    "10.20.1.6",
    "10.20.1.7",
    "10.20.1.8",
    "10.20.1.9",
  ]);
  const fabric = site.world.site.fabric.read(({ records }) => ({
    networks: records.all("network").filter(({ external }) => !external).length,
    routers: records.all("router").length,
  }));
  expect(fabric).toEqual({ networks: 1, routers: 1 });
  expect(new Set(ports.flatMap(({ groups }) => groups)).size).toBe(1);
  expect(await wrongInBooks(site)).toEqual([]);
  const addresses = async () => (await site.api("GET", `subnets/${subnet}`)).body.status.addresses;
  expect(await addresses()).toEqual({ total: 251, used: 6, resting: 0, free: 245 });

  expect((await site.api("DELETE", `subnets/${subnet}`)).body).toMatchObject({
    code: 9,
    in_use: [{ kind: "cluster", count: 1, objects: [{ id, name: "c1" }] }],
  });
  expect((await site.api("DELETE", `security_groups/${group}`)).body).toMatchObject({
    code: 9,
    in_use: [{ kind: "cluster", count: 1, objects: [{ id, name: "c1" }] }],
  });

  expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
  await succeeded(site, id);
  expect(hostPorts(site)).toEqual([]);
  expect(await addresses()).toEqual({ total: 251, used: 0, resting: 6, free: 245 });
  await site.laptop.clock.advance(minutes(11));
  expect(await addresses()).toEqual({ total: 251, used: 0, resting: 0, free: 251 });
  expect(await wrongInBooks(site)).toEqual([]);
  expect((await site.api("DELETE", `subnets/${subnet}`)).status).toBe(200);
  expect(await atRest(site, "subnets", subnet)).toBeUndefined();
  expect((await site.api("DELETE", `security_groups/${group}`)).status).toBe(200);
  expect(await atRest(site, "security_groups", group)).toBeUndefined();
  expect((await site.api("DELETE", `virtual_networks/${network}`)).status).toBe(200);
  expect(await atRest(site, "virtual_networks", network)).toBeUndefined();
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("decides between an order and the deletion of its subnet that meet", async () => {
  const { site, subnet } = await withSubnet();
  const spec = { template: { id: "ocp_4_17_small" }, network_attachment: { subnet } };
  const [order, deletion] = await Promise.all([
    site.api("POST", "clusters", { metadata: { name: "c1" }, spec }),
    site.api("DELETE", `subnets/${subnet}`),
  ]);
  expect([order.status === 200, deletion.status === 200].toSorted()).toEqual([false, true]);
  if (order.status === 200) await succeeded(site, order.body.id);
  else expect(await atRest(site, "subnets", subnet)).toBeUndefined();
  expect(await wrongInBooks(site)).toEqual([]);
});

it("stands where an order by an offer says, if the offer leaves that to the order", async () => {
  const { site, subnet } = await withSubnet();
  const offer = (id: string, path: string) =>
    site.admin("POST", "cluster_catalog_items", {
      ...{ id, metadata: { name: id }, title: id, template: { name: "ocp-4-17-small" } },
      ...{ published: true, field_definitions: [{ path, editable: true }] },
    });
  for (const path of ["network_attachment", "network_attachment.subnet"])
    expect((await offer(path === "network_attachment" ? "open" : "ajar", path)).status).toBe(200);
  expect((await offer("closed", "placement.region")).status).toBe(200);
  const order = (name: string, spec: object) =>
    site.api("POST", "clusters", { metadata: { name }, spec });
  const network_attachment = { subnet: "shop-web" };
  const { status, body } = await order("c1", { catalog_item: "open", network_attachment });
  expect([status, body.spec?.network_attachment?.subnet.id], body.message).toEqual([200, subnet]);
  expect((await order("c2", { catalog_item: "open" })).status).toBe(200);
  expect((await order("c4", { catalog_item: "ajar", network_attachment })).status).toBe(200);
  const closed = { catalog_item: "closed", placement: { region: "eu-west" }, network_attachment };
  expect((await order("c3", closed)).body.errors).toEqual([
    {
      field: "spec.network_attachment.subnet",
      message: "field 'network_attachment.subnet' is not allowed by the catalog item",
    },
  ]);
});

it("waits for a hub at the subnet's site, and says why no other one will do", async () => {
  const { site, subnet } = await withSubnet();
  const cordon = async (cordoned: boolean) => {
    for (const hub of ["hub-a", "hub-b"])
      await site.admin("PATCH", `hubs/${hub}`, { spec: { cordoned } });
  };
  // With no hub there, an order would be refused.
  await cordon(true);
  const id = await site.order("c1", { network_attachment: { subnet } });
  await noSite(site);
  await cordon(false);
  await site.laptop.pass(60_000);
  const { operation } = (await site.cluster(id)).status;
  const { body } = await site.admin("GET", `operations/${operation}`);
  expect(body.status.placement.rejected).toEqual(
    ["hub-a", "hub-b"].map((hub) => ({ hub, reason: "is not at site 'site-1'" })),
  );
  expect((await site.admin("PATCH", "hubs/hub-a", { spec: { site: "site-1" } })).status).toBe(200);
  await succeeded(site, id);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("gives a subnet with room for 10 to just 10 of 50 clusters, and everything back that the others had", async () => {
  const { site, network } = await withSubnet();
  const wide = await orderOf(site, "subnets", "wide", {
    virtual_network: network,
    ipv4_cidr: "10.20.128.0/25",
  });
  expect((await atRest(site, "subnets", wide)).status.state).toBe("SUBNET_STATE_READY");
  // A host of ten NICs, API and ingress: twelve of 123 addresses.
  const count = 50;
  expect((await site.admin("PATCH", "hubs/hub-a", { spec: { capacity: count } })).status).toBe(200);
  const made = async (collection: string, body: object) =>
    expect((await site.admin("POST", collection, body)).status).toBe(200);
  await made("host_types", { metadata: { name: "wide" }, title: "Ten NICs" });
  await made("cluster_templates", {
    id: "wide",
    metadata: { name: "wide" },
    node_sets: { workers: { host_type: "wide", size: 1 } },
  });
  for (let n = 0; n < count; n++) await addWideHost(site, n);
  await site.laptop.pass(6 * 60_000);
  const spec = { template: "wide", network_attachment: { subnet: wide } };
  const names = Array.from({ length: count }, (_, n) => `c${n}`);
  const ids = await Promise.all(names.map((name) => site.order(name, spec)));
  const states: string[] = [];
  for (const id of ids) states.push((await site.settled(id)).status.state);
  expect(states.filter((state) => state === "OPERATION_STATE_SUCCEEDED")).toHaveLength(10);
  expect(states.filter((state) => state === "OPERATION_STATE_FAILED")).toHaveLength(40);
  const { addresses } = (await site.api("GET", `subnets/${wide}`)).body.status;
  expect(addresses).toMatchObject({ total: 123, used: 120 });
  expect(site.owned().filter((thing) => thing.startsWith("host "))).toHaveLength(10);
  expect(await wrongInBooks(site)).toEqual([]);
}, 300_000);

/** A host of ten NICs on hub-a. */
async function addWideHost(site: Site, n: number): Promise<void> {
  const name = `wide-${n}`;
  const nics = Array.from({ length: 10 }, (_, nic) => ({
    name: `eno${nic}`,
    mac: `52:54:00:0c:${n.toString(16).padStart(2, "0")}:0${nic}`,
    switch: "leaf-a1",
    port: `Ethernet${10 + n}/${nic}`,
  }));
  const bmc = { address: `redfish-virtualmedia://192.168.9.${n + 1}/redfish/v1/Systems/1` };
  const spec = { host_type: "wide", hub: "hub-a", bmc, nics };
  site.world.addHost({ name, ...spec, discovered: true });
  expect((await site.admin("POST", "hosts", { metadata: { name }, spec })).status).toBe(200);
}

it("gives a subnet's addresses to as many clusters as it has room for, and says so to the others", async () => {
  const { site, network } = await withSubnet();
  const small = await orderOf(site, "subnets", "small", {
    virtual_network: network,
    ipv4_cidr: "10.20.2.0/28",
  });
  expect((await atRest(site, "subnets", small)).status.state).toBe("SUBNET_STATE_READY");
  // Two hosts with two NICs each, API and ingress: six of eleven addresses.
  const spec = { network_attachment: { subnet: small } };
  const ids = await Promise.all(["c1", "c2", "c3"].map((name) => site.order(name, spec)));
  const ended = await Promise.all(ids.map((id) => site.settled(id)));
  expect(ended.map(({ status }) => status.state).toSorted()).toEqual([
    "OPERATION_STATE_FAILED",
    "OPERATION_STATE_FAILED",
    "OPERATION_STATE_SUCCEEDED",
  ]);
  const states = await Promise.all(ids.map((id) => site.cluster(id)));
  const failed = states.find(({ status }) => status.failure);
  expect(failed.status.failure.message).toBe(
    "subnet 'small' (10.20.2.0/28) has 5 of 11 addresses free; 6 are needed",
  );
  expect(await wrongInBooks(site)).toEqual([]);
});

it("gives the API an address that its hub announces for nobody else, since tenants may have the same prefixes", async () => {
  const { site, subnet } = await withSubnet();
  const { store } = site.laptop;
  const others = ["hub-a", "hub-b"].flatMap((hub) =>
    [4, 5, 6, 7, 8, 9, 10].map((place) => announcedKey(hub, `10.20.1.${place}`)),
  );
  await store.transact(others.map((key) => ({ put: { ...key, owner: "another" } })));
  const id = await site.order("c1", { network_attachment: { subnet } });
  await succeeded(site, id);
  expect((await site.cluster(id)).status.addresses.api.internal).toBe("10.20.1.11");
  const { addresses } = (await site.api("GET", `subnets/${subnet}`)).body.status;
  // Those that were given back for it have rested when it is made.
  expect(addresses).toEqual({ total: 251, used: 6, resting: 0, free: 245 });
  await store.transact(others.map((key) => ({ delete: key })));
  expect(await wrongInBooks(site)).toEqual([]);
});

it("refuses a subnet that overlaps the prefixes of clusters with networks of their own", async () => {
  const site = await openSite();
  await withNetworks(site);
  const order = { metadata: { name: "shop" }, spec: { ipv4_cidr: "10.64.0.0/16" } };
  expect((await site.api("POST", "virtual_networks", order)).body.message).toBe(
    "validation failed: spec.ipv4_cidr: must not overlap 10.64.0.0/12, which the provider keeps for itself",
  );
  // One that was accepted before.
  const { subnet } = await networkWithSubnet(site);
  const moved = (ipv4_cidr: string, ipv6_cidr?: string) =>
    changeObject(site.laptop.deps, "subnet", subnet, ({ spec, ...object }) => {
      const { ipv6_cidr: _, ...rest } = spec;
      return { ...object, spec: { ...rest, ipv4_cidr, ...(ipv6_cidr && { ipv6_cidr }) } };
    });
  await moved("10.64.1.0/24");
  const id = await site.order("c1", { network_attachment: { subnet } });
  const { status } = await site.settled(id);
  expect(status.state).toBe("OPERATION_STATE_FAILED");
  expect((await site.cluster(id)).status.failure.message).toMatch(
    /^10\.64\.1\.0\/24 overlaps 10\.64\.0\.0\/12, of which clusters/,
  );
  await moved("10.20.1.0/24");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("claims addresses for hosts that come, and gives those of hosts that leave back", async () => {
  const { site, subnet } = await withSubnet();
  const id = await site.order("c1", { network_attachment: { subnet } });
  await succeeded(site, id);
  const resize = async (size: number) => {
    await site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size } } } });
    await succeeded(site, id);
    expect(hostPorts(site)).toHaveLength(2 * size);
    expect(await wrongInBooks(site)).toEqual([]);
  };
  await resize(3);
  await resize(1);
});

/** A READY cluster in a subnet with the group `web`; there is a group `db`, too. */
async function clusterWithGroups() {
  const { site, network, subnet } = await withSubnet();
  const groups = {
    web: await readyGroup(site, network),
    db: await readyGroup(site, network, "db"),
  };
  const network_attachment = { subnet: "shop-web", security_groups: ["web"] };
  const id = await site.order("c1", { network_attachment });
  await succeeded(site, id);
  const ordered = await groupsOfPorts(site);
  const change = (security_groups: unknown[], more: object = {}) =>
    site.api("PATCH", `clusters/${id}`, {
      spec: { network_attachment: { security_groups }, ...more },
    });
  return { site, network, subnet, groups, id, ordered, change };
}

/** The groups of each port in subnets of tenants: of hosts, and of those that hold an address of the cluster. */
const groupsOfPorts = async (site: Site): Promise<string[][]> =>
  site.world.site.fabric.read(({ records }) =>
    records
      .all("port")
      .filter(({ device_owner: by }) => !by.startsWith("network:"))
      .map((port) =>
        port.security_groups.map((one) => records.get("security_group", one)?.name ?? ""),
      ),
  );

it("changes the security groups of a cluster while it runs, on each of its ports", async () => {
  const { site, groups, id, ordered, change } = await clusterWithGroups();
  const { body } = await change(["db"]);
  expect(body.status.operation).toBeDefined();
  // Both are in use until every port has the new one.
  for (const group of Object.values(groups))
    expect((await site.api("DELETE", `security_groups/${group}`)).body).toMatchObject({
      code: 9,
      in_use: [{ kind: "cluster", count: 1, objects: [{ id, name: "c1" }] }],
    });
  await succeeded(site, id);
  const { spec, status } = await site.cluster(id);
  expect(status.state).toBe("CLUSTER_STATE_READY");
  expect(spec.network_attachment.security_groups).toEqual([{ id: groups.db, name: "db" }]);
  const changed = await groupsOfPorts(site);
  expect(changed).toHaveLength(ordered.length);
  expect(new Set(ordered.flat()).isDisjointFrom(new Set(changed.flat()))).toBe(true);
  expect(new Set(changed.map((names) => names.join()))).toHaveLength(1);

  expect((await site.api("DELETE", `security_groups/${groups.web}`)).status).toBe(200);
  expect(await atRest(site, "security_groups", groups.web)).toBeUndefined();
  expect((await site.api("DELETE", `security_groups/${groups.db}`)).body.code).toBe(9);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("leaves a cluster with the groups that it had where the fabric refuses others", async () => {
  const { site, groups, id, ordered, change } = await clusterWithGroups();
  // The last port is refused, when the others have the new group.
  const last = site.world.site.fabric.read(({ records }) =>
    records.all("port").findLast(({ device_owner: by }) => !by.startsWith("network:")),
  );
  const operation = `PUT /v2.0/ports/${last?.id}`;
  site.world.faults.add({ target: "fabric", operation, fault: "error", status: 400 });
  await change(["db"]);
  expect((await site.settled(id)).status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { step: "ChangeSecurityGroups", given_back: true },
  });
  const { spec, status } = await site.cluster(id);
  expect(status).toMatchObject({
    state: "CLUSTER_STATE_READY",
    failure: { step: "ChangeSecurityGroups" },
  });
  expect(spec.network_attachment.security_groups).toEqual([{ id: groups.web, name: "web" }]);
  expect(await groupsOfPorts(site)).toEqual(ordered);
  expect((await site.api("DELETE", `security_groups/${groups.db}`)).status).toBe(200);
  expect(await atRest(site, "security_groups", groups.db)).toBeUndefined();
  expect(await wrongInBooks(site)).toEqual([]);
});
