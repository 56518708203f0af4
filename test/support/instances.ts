import { expect } from "vitest";
import { bigType } from "./bare-metal-offers.ts";
import { addServer, metal, untilHost } from "./managed-hosts.ts";
import { networkWithSubnet, withNetworks } from "./networks.ts";
import { sshKey } from "./orders.ts";
import type { Answer, Site, Wire } from "./site.ts";

/** Servers of a tenant's own through the API of a simulated site. */

/** Gives the provider a type of servers, a template and an offer of them. */
export async function withServers(site: Site): Promise<void> {
  const accept = async (path: string, body: object) => {
    const { status, body: said } = await site.admin("POST", path, body);
    expect(status, JSON.stringify(said)).toBe(200);
  };
  // What the simulated servers have.
  await accept("host_types", {
    metadata: { name: metal },
    hardware: { cpus: 64, memory_gib: 512 },
  });
  await accept(
    "bare_metal_instance_types",
    bigType(
      { name: "eno1" },
      { name: "eno2" },
      { name: "eno3" },
      { name: "ipmi", role: "lifecycle" },
    ),
  );
  await accept("baremetal_instance_templates", {
    id: "rhel",
    metadata: { name: "rhel" },
    host_type: "big",
    spec_defaults: { image: { source_type: "registry", source_ref: "quay.io/images/rhel:9.6" } },
  });
  await accept("baremetal_instance_catalog_items", {
    id: "rhel",
    metadata: { name: "rhel" },
    template: "rhel",
    published: true,
  });
}

/** A site with a tenant's subnet, and so many servers that are discovered. Answers the ids of their hosts. */
export async function siteWithServers(
  site: Site,
  count: number,
): Promise<{ network: string; subnet: string; hosts: string[] }> {
  await withServers(site);
  await withNetworks(site);
  const found = await networkWithSubnet(site);
  const hosts: string[] = [];
  for (let number = 1; number <= count; number++) hosts.push(await addServer(site, number));
  for (const id of hosts) await untilHost(site, id, "AVAILABLE");
  return { ...found, hosts };
}

/** Brings a site to a tenant's subnet, and one server that is discovered. */
export const oneServer = (site: Site) => siteWithServers(site, 1);

/** Asks for a server in a subnet. */
export const askForServer = (
  site: Site,
  name: string,
  spec: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  site.api(
    "POST",
    "baremetal_instances",
    {
      metadata: { name },
      spec: {
        catalog_item: "rhel",
        ssh_public_key: sshKey("ann"),
        network_attachments: [{ subnet: "shop-web" }],
        ...spec,
      },
    },
    headers,
  );

/** Orders a server, and answers its id. */
export async function orderServer(site: Site, name: string, spec: object = {}): Promise<string> {
  const { status, body } = await askForServer(site, name, spec);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

export const serverOf = async (site: Site, id: string): Promise<Wire> =>
  (await site.api("GET", `baremetal_instances/${id}`)).body;

/** Orders servers of these names at once, and answers their ids. */
export async function orderBatch(
  site: Site,
  names: string[],
  more: object = {},
): Promise<string[]> {
  const items = names.map((name) => ({
    metadata: { name },
    spec: {
      catalog_item: "rhel",
      ssh_public_key: sshKey("ann"),
      network_attachments: [{ subnet: "shop-web" }],
    },
  }));
  const { status, body } = await site.api("POST", "baremetal_instances/batch", { items, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items.map(({ id }: Wire) => id);
}
