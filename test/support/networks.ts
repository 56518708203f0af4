import { expect } from "vitest";
import type { Hub } from "../../sim/hub.ts";
import type { Answer, Site, Wire } from "./site.ts";

/** Tenants' networks through the API of a simulated site. */

/** Gives the provider a class of networks on the fabric of the site, the default of orders. */
export async function withNetworks(site: Site, spec: object = {}): Promise<void> {
  created(
    await site.admin("POST", "network_classes", {
      metadata: { name: "isolated" },
      title: "Isolated networks",
      implementation_strategy: "fabric",
      is_default: true,
      spec: { site: "site-1", ...spec },
    }),
  );
}

/** The hub that carries the networks of `withHubNetworks`. */
export const hubOfNetworks = (site: Site): Hub => {
  const [hub] = site.world.hubs();
  if (!hub) throw new Error("the world has no hub");
  return hub;
};

/** Gives the provider a class of networks on a hub, the default of orders. */
export async function withHubNetworks(site: Site, spec: object = {}): Promise<void> {
  created(
    await site.admin("POST", "network_classes", {
      metadata: { name: "machines" },
      title: "Networks of virtual machines",
      implementation_strategy: "hub",
      is_default: true,
      spec: { hub: hubOfNetworks(site).id, ...spec },
    }),
  );
}

/** The body of an answer that accepts a request. */
function created({ status, body }: Answer): Wire {
  expect(body).not.toHaveProperty("message");
  expect(status).toBe(200);
  return body;
}

/** Orders something, and answers its id. */
export async function orderOf(
  site: Site,
  collection: string,
  name: string,
  spec: object,
): Promise<string> {
  return created(await site.api("POST", collection, { metadata: { name }, spec })).id;
}

/** Runs until nothing works on an object any more, and answers it; undefined for one that is gone. */
export async function atRest(site: Site, collection: string, id: string): Promise<Wire> {
  const read = () => site.api("GET", `${collection}/${id}`);
  await site.laptop.until(
    async () => (await read()).body.status?.operation === undefined,
    `${collection} ${id} at rest`,
  );
  const { status, body } = await read();
  return status === 404 ? undefined : body;
}

/** Orders a network, and answers its id once it is READY. */
export async function readyNetwork(site: Site, name: string): Promise<string> {
  const prefixes = { ipv4_cidr: "10.20.0.0/16", ipv6_cidr: "fd00:20::/48" };
  const id = await orderOf(site, "virtual_networks", name, prefixes);
  const { status } = await atRest(site, "virtual_networks", id);
  expect(status.state).toBe("VIRTUAL_NETWORK_STATE_READY");
  return id;
}

/** Orders a network and a subnet in it, and answers their ids once both are READY. */
export async function networkWithSubnet(
  site: Site,
  name = "shop",
): Promise<{ network: string; subnet: string }> {
  const network = await readyNetwork(site, name);
  const subnet = await orderOf(site, "subnets", `${name}-web`, {
    virtual_network: network,
    ipv4_cidr: "10.20.1.0/24",
  });
  expect((await atRest(site, "subnets", subnet)).status.state).toBe("SUBNET_STATE_READY");
  return { network, subnet };
}

/** Gives the provider a pool of outside addresses at the site. */
export async function withOutsidePool(site: Site, cidr = "203.0.113.80/28"): Promise<void> {
  created(
    await site.admin("POST", "external_ip_pools", {
      metadata: { name: "outside" },
      spec: { ip_family: "IP_FAMILY_IPV4", cidrs: [cidr], site: { name: "site-1" } },
    }),
  );
}

/** A READY network, and an external IP of its name. */
export async function networkWithIp(
  site: Site,
  name: string,
): Promise<{ network: string; ip: string }> {
  const network = await readyNetwork(site, name);
  return { network, ip: await orderOf(site, "external_ips", name, { pool: "outside" }) };
}

/** Orders a NAT gateway for a network, with the external IP of the network's name unless told otherwise. */
export const natOf = (site: Site, network: string, external_ip = network): Promise<string> =>
  orderOf(site, "nat_gateways", network, { virtual_network: network, external_ip });
