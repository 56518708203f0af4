import { expect } from "vitest";
import { atRest, orderOf, readyNetwork, withHubNetworks } from "../networks.ts";
import type { Answer, Site, Wire } from "../site.ts";
import { accepted } from "./cluster-worlds.ts";
import type { NetworkChange } from "./networks.ts";

/** The sagas of tenants' networks on a hub. */

const networkNamed = (site: Site, name: string): Promise<string> =>
  orderOf(site, "virtual_networks", name, {
    ipv4_cidr: "10.20.0.0/16",
    ipv6_cidr: "fd00:20::/48",
  });

/** A network on a hub has one subnet: the same prefixes do for each. */
const subnetOf = (site: Site, network: string, name: string): Promise<string> =>
  orderOf(site, "subnets", name, {
    virtual_network: network,
    ipv4_cidr: "10.20.1.0/24",
    ipv6_cidr: "fd00:20:0:1::/64",
  });

async function idOf(site: Site, network: string): Promise<string> {
  const { items } = (await site.api("GET", "virtual_networks")).body;
  return items.find(({ metadata }: Wire) => metadata.name === network).id;
}

const isReady = async (site: Site, collection: string, id: string): Promise<string> => {
  expect((await atRest(site, collection, id)).status.state).toMatch(/_READY$/);
  return id;
};

async function classOnly(site: Site): Promise<string> {
  await withHubNetworks(site);
  return "";
}

/** A network, beside another one in which others order. */
async function aNetwork(site: Site): Promise<string> {
  await withHubNetworks(site);
  await readyNetwork(site, "other");
  return readyNetwork(site, "shop");
}

const aSubnet = async (site: Site): Promise<string> =>
  isReady(site, "subnets", await subnetOf(site, await aNetwork(site), "web"));

const web = { protocol: "PROTOCOL_TCP", port_from: 443, port_to: 443, ipv4_cidr: "0.0.0.0/0" };

const groupOf = (site: Site, network: string, name: string): Promise<string> =>
  orderOf(site, "security_groups", name, {
    virtual_network: network,
    ingress: [web, { protocol: "PROTOCOL_ALL", security_group: name }],
    egress: [web],
  });

const aGroup = async (site: Site): Promise<string> =>
  isReady(site, "security_groups", await groupOf(site, await aNetwork(site), "web"));

const otherRules = (site: Site, id: string): Promise<Answer> =>
  site.api("PATCH", `security_groups/${id}`, {
    spec: { ingress: [{ ...web, port_from: 80, port_to: 80 }] },
  });

const remove = (collection: string) => async (site: Site, id: string) => {
  accepted(await site.api("DELETE", `${collection}/${id}`));
  return id;
};

const systems = ["hub:hub-a"] as const;
const ofNetworks = {
  collection: "virtual_networks",
  systems,
  beside: (site: Site) => networkNamed(site, "third"),
};
const ofSubnets = {
  collection: "subnets",
  systems,
  beside: async (site: Site) => subnetOf(site, await idOf(site, "other"), "beside"),
};
const ofGroups = {
  collection: "security_groups",
  systems,
  beside: async (site: Site) => groupOf(site, await idOf(site, "shop"), "beside"),
};

export const onHub: Record<string, Record<string, NetworkChange>> = {
  "hub-network-create": {
    "a network on a hub": {
      ...ofNetworks,
      before: classOnly,
      start: (site) => networkNamed(site, "shop"),
    },
  },
  "hub-network-delete": {
    "a network on a hub": {
      ...ofNetworks,
      before: aNetwork,
      start: remove("virtual_networks"),
      deletes: true,
    },
  },
  "hub-subnet-create": {
    "a subnet on a hub": {
      ...ofSubnets,
      before: aNetwork,
      start: (site, network) => subnetOf(site, network, "web"),
    },
  },
  "hub-subnet-delete": {
    "a subnet on a hub": { ...ofSubnets, before: aSubnet, start: remove("subnets"), deletes: true },
  },
  "hub-security-group-create": {
    "a group on a hub": {
      ...ofGroups,
      before: aNetwork,
      start: (site, network) => groupOf(site, network, "web"),
      wish: otherRules,
    },
  },
  "hub-security-group-apply": {
    "changed rules on a hub": {
      ...ofGroups,
      before: aGroup,
      async start(site, id) {
        accepted(await otherRules(site, id));
        return id;
      },
      wish: (site, id) => site.api("PATCH", `security_groups/${id}`, { spec: { egress: [] } }),
      appliesRules: true,
    },
  },
  "hub-security-group-delete": {
    "a group on a hub": {
      ...ofGroups,
      before: aGroup,
      start: remove("security_groups"),
      deletes: true,
    },
  },
};
