import { expect } from "vitest";
import { type Api, priv } from "./api.ts";

/** Pools of outside addresses at sites, through an API without systems. */

const fabric = {
  provider: "neutron",
  auth_url: "https://keystone.example.com/v3",
  credential_id: "abc",
  physical_network: "physnet1",
  external_network: "public",
};
const network = {
  vlans: { first: 100, last: 199 },
  prefixes: { cidr: "10.64.0.0/16", length: 24 },
  floating_ips: { first: "203.0.113.10", last: "203.0.113.20" },
  dns_servers: [],
};

/** Makes what only the provider makes, and answers its id. */
export async function made(api: Api, collection: string, body: object): Promise<string> {
  const {
    status,
    text,
    body: answer,
  } = await api.ask("admin", "POST", `${priv}/${collection}`, body);
  expect(status, text).toBe(200);
  return answer.id;
}

/** A site whose fabric has an outside network. */
export const siteWithFabric = (
  api: Api,
  id: string,
  cidr = network.prefixes.cidr,
): Promise<string> =>
  made(api, "sites", {
    id,
    metadata: { name: id },
    spec: {
      ...{ fabric, secrets: { fabric: "s" } },
      network: { ...network, prefixes: { ...network.prefixes, cidr } },
    },
  });

export const poolAt = (
  api: Api,
  site: string | undefined,
  name: string,
  cidr: string,
  more: object = {},
): Promise<string> =>
  made(api, "external_ip_pools", {
    metadata: { name },
    spec: { ip_family: "IP_FAMILY_IPV4", cidrs: [cidr], ...(site && { site }), ...more },
  });
