import { describe, expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import {
  atRest,
  networkWithSubnet,
  orderOf,
  readyNetwork,
  withNetworks,
  withOutsidePool,
} from "../support/networks.ts";
import { openSite, type Site } from "../support/site.ts";

/** Tenants' networks, through the API, the sagas and the simulated fabric. */

it("makes a network and a subnet on the fabric, and takes both away again", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await withNetworks(site);
  const { network, subnet } = await networkWithSubnet(site);
  const { body } = await site.api("GET", `subnets/${subnet}`);
  expect(body.status).toEqual({
    state: "SUBNET_STATE_READY",
    gateways: ["10.20.1.1"],
    addresses: { total: 251, used: 0, resting: 0, free: 251 },
  });
  expect((await site.admin("GET", `subnets/${subnet}`)).body.status.vlan).toBe(100);
  expect(site.owned().map((thing) => thing.split(" ")[0])).toEqual(
    expect.arrayContaining(["network", "router", "subnet", "vlan"]),
  );
  expect(await wrongInBooks(site)).toEqual([]);

  expect((await site.api("DELETE", `subnets/${subnet}`)).status).toBe(200);
  expect(await atRest(site, "subnets", subnet)).toBeUndefined();
  expect((await site.api("DELETE", `virtual_networks/${network}`)).status).toBe(200);
  expect(await atRest(site, "virtual_networks", network)).toBeUndefined();
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("lets tenants have the same prefixes, each in a network of its own", async () => {
  const site = await openSite();
  await withNetworks(site);
  const ours = await networkWithSubnet(site);
  const { body } = await site.neighbour("POST", "virtual_networks", {
    metadata: { name: "shop" },
    spec: { ipv4_cidr: "10.20.0.0/16" },
  });
  await site.laptop.until(
    async () =>
      (await site.neighbour("GET", `virtual_networks/${body.id}`)).body.status.state ===
      "VIRTUAL_NETWORK_STATE_READY",
    "the neighbour's network",
  );
  expect((await site.neighbour("GET", `virtual_networks/${ours.network}`)).status).toBe(404);
  const foreign = await site.neighbour("POST", "subnets", {
    metadata: { name: "theirs" },
    spec: { virtual_network: ours.network, ipv4_cidr: "10.20.2.0/24" },
  });
  expect(foreign.status).toBe(400);
  expect(foreign.body.message).toContain("not found in this project");
});

it("gives everything back when the fabric refuses, and says why", { tags: "smoke" }, async () => {
  const site = await openSite();
  await withNetworks(site);
  site.world.faults.add({
    target: "fabric",
    operation: "POST /v2.0/routers",
    fault: "error",
    status: 400,
    count: 0,
  });
  const id = await orderOf(site, "virtual_networks", "shop", { ipv4_cidr: "10.20.0.0/16" });
  const { status } = await atRest(site, "virtual_networks", id);
  expect(status.state).toBe("VIRTUAL_NETWORK_STATE_FAILED");
  expect(status.message).toContain("CreateRouter");
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("keeps a network with a subnet and a class with a network, and names them", async () => {
  const site = await openSite();
  await withNetworks(site);
  const { network, subnet } = await networkWithSubnet(site);
  const ofNetwork = [{ kind: "subnet", count: 1, objects: [{ id: subnet, name: "shop-web" }] }];
  const removal = async () => (await site.api("DELETE", `virtual_networks/${network}`)).body;
  expect(await removal()).toMatchObject({
    code: 9,
    message: `cannot delete virtual network '${network}': in use by subnet 'shop-web' (${subnet})`,
    in_use: ofNetwork,
  });
  const { items } = (await site.admin("GET", "network_classes")).body;
  expect((await site.admin("DELETE", `network_classes/${items[0].id}`)).body.in_use).toEqual([
    { kind: "virtual_network", count: 1, objects: [{ id: network, name: "shop" }] },
  ]);
  expect((await atRest(site, "virtual_networks", network)).status.state).toMatch(/_READY$/);

  await site.api("DELETE", `subnets/${subnet}`);
  expect((await removal()).in_use).toEqual(ofNetwork);
  expect(await atRest(site, "subnets", subnet)).toBeUndefined();
  expect(await removal()).toEqual({});
  const late = await site.api("POST", "subnets", {
    metadata: { name: "late" },
    spec: { virtual_network: network, ipv4_cidr: "10.20.2.0/24" },
  });
  expect(late).toMatchObject({ status: 400, body: { code: 9 } });
  expect(await atRest(site, "virtual_networks", network)).toBeUndefined();
  expect(await wrongInBooks(site)).toEqual([]);
});

const anywhere = { ipv4_cidr: "0.0.0.0/0" };
const web = { protocol: "PROTOCOL_TCP", port_from: 443, port_to: 443, ...anywhere };
const everything = { protocol: "PROTOCOL_ALL", ...anywhere };

/** The rules of a tenant's groups, as the fabric has them. */
const rulesOnFabric = (site: Site): string[] =>
  site.world.site.fabric.read(({ records }) =>
    records
      .all("security_group_rule")
      .map(
        ({ direction, ethertype, protocol, port_range_min, remote_ip_prefix, remote_group_id }) =>
          [
            ...[direction, ethertype, protocol ?? "any", port_range_min ?? "all"],
            remote_group_id ? "a group" : (remote_ip_prefix ?? "anywhere"),
          ].join(" "),
      )
      .toSorted(),
  );

it("has the fabric allow exactly what a group says, and says which version applies", async () => {
  const site = await openSite();
  await withNetworks(site);
  const network = await readyNetwork(site, "shop");
  const before = rulesOnFabric(site);
  const id = await orderOf(site, "security_groups", "web", {
    virtual_network: network,
    ingress: [web],
    egress: [everything],
  });
  const made = await atRest(site, "security_groups", id);
  expect(made.status).toEqual({
    state: "SECURITY_GROUP_STATE_READY",
    wanted_version: 1,
    applied_version: 1,
  });
  const added = (): string[] => {
    const all = rulesOnFabric(site);
    for (const rule of before) all.splice(all.indexOf(rule), 1);
    return all;
  };
  expect(added()).toEqual(["egress IPv4 any all anywhere", "ingress IPv4 tcp 443 0.0.0.0/0"]);

  const inside = { protocol: "PROTOCOL_ALL", security_group: "web" };
  const changed = await site.api("PATCH", `security_groups/${id}`, {
    spec: { ingress: [{ ...web, port_from: 80, port_to: 80 }, inside] },
  });
  expect(changed.body.status).toMatchObject({
    state: "SECURITY_GROUP_STATE_PENDING",
    wanted_version: 2,
    applied_version: 1,
  });
  expect((await atRest(site, "security_groups", id)).status).toEqual({
    state: "SECURITY_GROUP_STATE_READY",
    wanted_version: 2,
    applied_version: 2,
  });
  expect(added()).toEqual([
    "egress IPv4 any all anywhere",
    "ingress IPv4 any all a group",
    "ingress IPv4 tcp 80 0.0.0.0/0",
    "ingress IPv6 any all a group",
  ]);
  expect((await site.api("DELETE", `security_groups/${id}`)).status).toBe(200);
  expect(await atRest(site, "security_groups", id)).toBeUndefined();
  expect(added()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("says that rules do not apply while the fabric refuses them, and applies them once it takes them", async () => {
  const site = await openSite();
  await withNetworks(site);
  const network = await readyNetwork(site, "shop");
  const spec = { virtual_network: network, ingress: [web], egress: [] };
  const id = await orderOf(site, "security_groups", "web", spec);
  await atRest(site, "security_groups", id);
  const refusing = site.world.faults.add({
    target: "fabric",
    operation: "POST /v2.0/security-group-rules",
    fault: "error",
    status: 400,
    count: 0,
  });
  await site.api("PATCH", `security_groups/${id}`, { spec: { egress: [everything] } });
  const failed = await atRest(site, "security_groups", id);
  expect(failed.status).toMatchObject({
    state: "SECURITY_GROUP_STATE_FAILED",
    wanted_version: 2,
    applied_version: 1,
  });
  expect(failed.status.message).toContain("ApplyRules");
  expect(refusing.id).toBeGreaterThan(0);
  site.world.faults.clear();
  const again = await site.api("PATCH", `security_groups/${id}`, {
    spec: { egress: [everything, web] },
  });
  expect(again.body.status.state).toBe("SECURITY_GROUP_STATE_PENDING");
  expect((await atRest(site, "security_groups", id)).status).toEqual({
    state: "SECURITY_GROUP_STATE_READY",
    wanted_version: 3,
    applied_version: 3,
  });
  expect(await wrongInBooks(site)).toEqual([]);
});

const deletions = {
  virtual_networks: "/v2.0/routers",
  subnets: "/v2.0/networks",
  security_groups: "/v2.0/security-groups",
} as const;

it.each(Object.keys(deletions) as (keyof typeof deletions)[])(
  "says why %s cannot be deleted until a person has the deletion go on",
  async (collection) => {
    const site = await openSite();
    await withNetworks(site);
    const id = await oneOf(site, collection);
    const operation = `DELETE ${deletions[collection]}`;
    const answers = (status: number) => {
      site.world.faults.clear();
      site.world.faults.add({ target: "fabric", operation, fault: "error", status, count: 0 });
    };
    answers(400);
    const deleted = await site.api("DELETE", `${collection}/${id}`);
    const read = async () => (await site.api("GET", `${collection}/${id}`)).body.status;
    expect((await read()).state).toMatch(/_STATE_DELETING$/);
    const { operation: running } = await read();
    const inState = (state: string) =>
      site.laptop.until(
        async () => (await site.api("GET", `operations/${running}`)).body.status.state === state,
        `the deletion ${state}`,
      );
    await inState("OPERATION_STATE_STUCK");
    const stuck = await read();
    expect(deleted.status).toBe(200);
    expect(stuck.state).toMatch(/_STATE_DELETE_FAILED$/);
    expect(stuck.message).toMatch(/^Undo \w+: ./);

    answers(503);
    await site.api("POST", `operations/${running}/resume`);
    await inState("OPERATION_STATE_RUNNING");
    expect((await read()).state).toMatch(/_STATE_DELETING$/);
    expect((await read()).message).not.toBe(stuck.message);
    answers(400);
    await inState("OPERATION_STATE_STUCK");
    expect((await read()).state).toMatch(/_STATE_DELETE_FAILED$/);

    site.world.faults.clear();
    await site.api("POST", `operations/${running}/resume`);
    expect(await atRest(site, collection, id)).toBeUndefined();
    expect(await wrongInBooks(site)).toEqual([]);
  },
);

/** A network, a subnet or a group that is READY, and nothing in it. */
async function oneOf(site: Site, collection: keyof typeof deletions): Promise<string> {
  if (collection === "virtual_networks") return readyNetwork(site, "shop");
  const { network, subnet } = await networkWithSubnet(site);
  if (collection === "subnets") return subnet;
  const id = await orderOf(site, collection, "web", { virtual_network: network, ingress: [web] });
  await atRest(site, collection, id);
  return id;
}

const creations = {
  virtual_networks: { refused: "POST /v2.0/routers" },
  subnets: { refused: "POST /v2.0/subnets" },
  security_groups: { refused: "POST /v2.0/security-groups" },
  nat_gateways: { refused: "PUT /v2.0/routers/" },
} as const;

describe.each(Object.keys(creations) as (keyof typeof creations)[])(
  "a retry of %s that could not be made",
  (collection) => {
    const { refused } = creations[collection];
    const retry = (site: Site, id: string) => site.api("POST", `${collection}/${id}/retry`);

    /** One that the fabric has refused, which takes it from now on. */
    async function failed(site: Site): Promise<string> {
      await withNetworks(site);
      const network = collection === "virtual_networks" ? "" : await readyNetwork(site, "shop");
      if (collection === "nat_gateways") {
        await withOutsidePool(site);
        await orderOf(site, "external_ips", "exit", { pool: "outside" });
      }
      site.world.faults.add({
        ...{ target: "fabric", operation: refused, fault: "error", status: 400, count: 0 },
      });
      const spec = {
        virtual_networks: { ipv4_cidr: "10.20.0.0/16" },
        subnets: { virtual_network: network, ipv4_cidr: "10.20.1.0/24" },
        security_groups: { virtual_network: network, ingress: [web] },
        nat_gateways: { virtual_network: network, external_ip: "exit" },
      }[collection];
      const id = await orderOf(site, collection, "web", spec);
      expect((await atRest(site, collection, id)).status.state).toMatch(/_STATE_FAILED$/);
      site.world.faults.clear();
      return id;
    }

    it("makes it, and counts it", async () => {
      const site = await openSite();
      const id = await failed(site);
      const answer = await retry(site, id);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Operation-Location")).toContain(answer.body.status.operation);
      expect(answer.body.status.state).toMatch(/_STATE_PENDING$/);
      expect(answer.body.status.message).toBeUndefined();
      expect((await atRest(site, collection, id)).status.state).toMatch(/_STATE_READY$/);
      expect(await wrongInBooks(site)).toEqual([]);
    });
  },
);

it("retries rules that the fabric has refused, and those of a group that was never made as they are now", async () => {
  const site = await openSite();
  await withNetworks(site);
  const network = await readyNetwork(site, "shop");
  const refuse = () =>
    site.world.faults.add({
      ...{ target: "fabric", operation: "POST /v2.0/security-group-rules", fault: "error" },
      ...{ status: 400, count: 0 },
    });
  const rules = (port: number) => ({ ingress: [{ ...web, port_from: port, port_to: port }] });
  const read = async () => (await atRest(site, "security_groups", id)).status;
  const retry = () => site.api("POST", `security_groups/${id}/retry`);
  refuse();
  const spec = { virtual_network: network, ...rules(80) };
  const id = await orderOf(site, "security_groups", "web", spec);
  expect((await read()).state).toMatch(/_FAILED$/);
  expect((await site.api("PATCH", `security_groups/${id}`, { spec: rules(81) })).status).toBe(200);
  expect(await read()).toMatchObject({ state: "SECURITY_GROUP_STATE_FAILED", wanted_version: 2 });
  site.world.faults.clear();
  await retry();
  expect(await read()).toMatchObject({ state: "SECURITY_GROUP_STATE_READY", applied_version: 2 });
  expect(rulesOnFabric(site)).toContain("ingress IPv4 tcp 81 0.0.0.0/0");

  refuse();
  await site.api("PATCH", `security_groups/${id}`, { spec: rules(82) });
  expect((await read()).state).toMatch(/_FAILED$/);
  site.world.faults.clear();
  expect((await retry()).body.status.state).toMatch(/_PENDING$/);
  expect(await read()).toMatchObject({ state: "SECURITY_GROUP_STATE_READY", applied_version: 3 });
  expect(rulesOnFabric(site)).toContain("ingress IPv4 tcp 82 0.0.0.0/0");
  expect(await wrongInBooks(site)).toEqual([]);
});
