import { sshKey } from "../../test/support/orders.ts";
import type { Answer } from "../../test/support/site.ts";
import type { System } from "../system.ts";
import { portNames, type Sort, sorts } from "./hardware.ts";

/** The provider's offers of whole servers, and the networks of their tenants. */

/** The network class for each sort of servers. */
const classOf: Record<Sort, string> = { plain: "isolated", withDpus: "overlay" };

export async function offerServers(system: System): Promise<void> {
  const add = async (path: string, body: object) =>
    accepted(await system.administer("POST", path, body));
  for (const [sort, { hostType, cores }] of Object.entries(sorts)) {
    await add("bare_metal_instance_types", {
      metadata: { name: hostType },
      spec: {
        description: `${cores} cores`,
        hardware: {
          ...{ cpu: { cores, threads_per_core: 1 }, memory: { total_gb: 512 } },
          network_ports: portNames.map((name) => ({ name })),
        },
      },
    });
    const image = { source_type: "registry", source_ref: "quay.io/images/rhel:9.6" };
    await add("baremetal_instance_templates", {
      ...{ id: sort.toLowerCase(), metadata: { name: sort.toLowerCase() } },
      ...{ host_type: hostType, spec_defaults: { image } },
    });
    await add("baremetal_instance_catalog_items", {
      ...{ id: sort.toLowerCase(), metadata: { name: sort.toLowerCase() } },
      ...{ template: sort.toLowerCase(), published: true },
    });
  }
  const site = system.worlds.sites[0]?.id;
  await add("network_classes", {
    metadata: { name: classOf.plain },
    implementation_strategy: "fabric",
    spec: { site },
  });
  await add("network_classes", {
    metadata: { name: classOf.withDpus },
    implementation_strategy: "overlay",
    spec: { vni_range: { first: 5000, last: 5999 } },
  });
  for (const [sort, cidr] of Object.entries(outsideOf))
    await add("external_ip_pools", {
      metadata: { name: `outside-${sort.toLowerCase()}` },
      spec: {
        ...{ ip_family: "IP_FAMILY_IPV4", cidrs: [cidr], rest_minutes: 0 },
        ...(sort === "plain" && { site }),
      },
    });
}

/** The outside addresses by network class; the fabric and the DPUs each have some. */
const outsideOf: Record<Sort, string> = {
  plain: "203.0.113.64/28",
  withDpus: "203.0.113.80/28",
};

/** All addresses at which servers may be reached from outside. */
export const outsideAddresses: readonly string[] = Array.from(
  { length: 32 },
  (_, n) => `203.0.113.${64 + n}`,
);

export const networkBody = (name: string, sort: Sort): object => ({
  metadata: { name },
  spec: { network_class: classOf[sort], ipv4_cidr: "10.20.0.0/16" },
});

export const subnetBody = (name: string, network: string, ipv4_cidr = "10.20.1.0/24"): object => ({
  metadata: { name },
  spec: { virtual_network: network, ipv4_cidr },
});

interface Ordered {
  name: string;
  sort: Sort;
  subnet: string;
  groups: readonly string[];
  isOutside: boolean;
}

export const serverBody = ({ name, sort, subnet, groups, isOutside }: Ordered): object => ({
  metadata: { name },
  spec: {
    ...{ catalog_item: sort.toLowerCase(), ssh_public_key: sshKey("ann") },
    user_data: "#cloud-config\n{}\n",
    network_attachments: [{ subnet, security_groups: groups }],
    ...(isOutside && { auto_external_ip_attachment: true }),
  },
});

/** A security group that permits everybody at the tested port. */
export const groupBody = (name: string, network: string): object => {
  const all = [{ protocol: "PROTOCOL_ALL", ipv4_cidr: "0.0.0.0/0" }];
  return { metadata: { name }, spec: { virtual_network: network, ingress: all, egress: all } };
};

function accepted({ status, body }: Answer): Answer["body"] {
  if (status !== 200) throw new Error(`an offer was refused: ${JSON.stringify(body)}`);
  return body;
}
