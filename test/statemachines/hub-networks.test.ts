import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import {
  atRest,
  hubOfNetworks,
  networkWithSubnet,
  orderOf,
  readyNetwork,
  withHubNetworks,
} from "../support/networks.ts";
import { openSite, type Site } from "../support/site.ts";

/** Tenants' networks on a hub, through the API, the sagas and the simulated hub. */

const cluster = (site: Site) => hubOfNetworks(site).cluster;
const networksOn = (site: Site) => cluster(site).list("ClusterUserDefinedNetwork");
const namespacesOn = (site: Site) =>
  cluster(site).list("Namespace", { labelSelector: "slipway.dev/virtual_network" });

it("makes a network and a subnet on the hub, and takes both away again", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await withHubNetworks(site);
  const { network, subnet } = await networkWithSubnet(site);
  const { body } = await site.api("GET", `subnets/${subnet}`);
  expect(body.status).toEqual({ state: "SUBNET_STATE_READY", gateways: ["10.20.1.1"] });
  const [namespace] = namespacesOn(site);
  expect(namespace?.metadata.labels).toMatchObject({
    "slipway.dev/virtual_network": network,
    "k8s.ovn.org/primary-user-defined-network": "",
  });
  const [segment] = networksOn(site);
  expect(segment?.spec).toMatchObject({ network: { layer2: { subnets: ["10.20.1.0/24"] } } });
  expect(
    cluster(site).list("NetworkAttachmentDefinition", {
      namespace: namespace?.metadata.name ?? "",
    }),
  ).toHaveLength(1);
  expect(await wrongInBooks(site)).toEqual([]);

  expect((await site.api("DELETE", `subnets/${subnet}`)).status).toBe(200);
  expect(await atRest(site, "subnets", subnet)).toBeUndefined();
  expect((await site.api("DELETE", `virtual_networks/${network}`)).status).toBe(200);
  expect(await atRest(site, "virtual_networks", network)).toBeUndefined();
  expect([...networksOn(site), ...namespacesOn(site)]).toEqual([]);
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

const anywhere = { ipv4_cidr: "0.0.0.0/0" };
const web = { protocol: "PROTOCOL_TCP", port_from: 443, port_to: 443, ...anywhere };

/** The spec of the policy of a group. */
const policyOf = (site: Site, group: string) =>
  cluster(site).list("NetworkPolicy", { labelSelector: `slipway.dev/security_group=${group}` })[0]
    ?.spec;

it("has the hub allow what a group says, and says which version the hub has", async () => {
  const site = await openSite();
  await withHubNetworks(site);
  const network = await readyNetwork(site, "shop");
  const spec = { virtual_network: network, ingress: [web], egress: [] };
  const id = await orderOf(site, "security_groups", "web", spec);
  expect((await atRest(site, "security_groups", id)).status).toEqual({
    state: "SECURITY_GROUP_STATE_READY",
    wanted_version: 1,
    applied_version: 1,
  });
  const of = (port: number) => ({
    ingress: [{ from: [{ ipBlock: { cidr: "0.0.0.0/0" } }], ports: [{ protocol: "TCP", port }] }],
  });
  expect(policyOf(site, id)).toMatchObject(of(443));
  await site.api("PATCH", `security_groups/${id}`, {
    spec: { ingress: [{ ...web, port_from: 80, port_to: 80 }] },
  });
  expect((await atRest(site, "security_groups", id)).status).toMatchObject({
    state: "SECURITY_GROUP_STATE_READY",
    applied_version: 2,
  });
  expect(policyOf(site, id)).toMatchObject(of(80));
  expect(await wrongInBooks(site)).toEqual([]);
  await site.api("DELETE", `security_groups/${id}`);
  expect(await atRest(site, "security_groups", id)).toBeUndefined();
  expect(policyOf(site, id)).toBeUndefined();
});

it("says with which prefix of the hub a subnet overlaps, and leaves nothing of it", async () => {
  const site = await openSite();
  await withHubNetworks(site);
  const prefixes = { ipv4_cidr: "10.128.0.0/16", ipv6_cidr: "fd98::/48" };
  const network = await orderOf(site, "virtual_networks", "shop", prefixes);
  await atRest(site, "virtual_networks", network);
  const spec = { virtual_network: "shop", ipv4_cidr: "10.128.7.0/24" };
  const subnet = await orderOf(site, "subnets", "web", spec);
  const { status } = await atRest(site, "subnets", subnet);
  expect(status.state).toBe("SUBNET_STATE_FAILED");
  expect(status.message).toContain(
    'OVN-Kubernetes does not make it: user defined subnet "10.128.7.0/24" overlaps cluster subnet "10.128.0.0/14"',
  );
  expect(networksOn(site)).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
  for (const [collection, id] of [
    ["subnets", subnet],
    ["virtual_networks", network],
  ] as const) {
    expect((await site.api("DELETE", `${collection}/${id}`)).status).toBe(200);
    expect(await atRest(site, collection, id)).toBeUndefined();
  }
  expect(site.owned()).toEqual([]);
});

it("makes by a retry, on the hub, what the hub has refused", async () => {
  const site = await openSite();
  await withHubNetworks(site);
  const operation = "PATCH /api/v1/namespaces";
  site.world.faults.add({ target: "hub", operation, fault: "error", status: 400, count: 0 });
  const id = await orderOf(site, "virtual_networks", "shop", { ipv4_cidr: "10.20.0.0/16" });
  expect((await atRest(site, "virtual_networks", id)).status.state).toMatch(/_STATE_FAILED$/);
  site.world.faults.clear();
  const { body } = await site.api("POST", `virtual_networks/${id}/retry`);
  expect((await atRest(site, "virtual_networks", id)).status.state).toMatch(/_STATE_READY$/);
  const again = await site.api("GET", `operations/${body.status.operation}`);
  expect(again.body.status.steps).toMatchObject([{ name: "CreateNamespace" }]);
  expect(namespacesOn(site)).toHaveLength(1);
  expect(await wrongInBooks(site)).toEqual([]);
});
