import * as z from "zod";
import type { Cloud } from "./cloud.ts";

/** The ports of a real cloud, as Neutron lists them. */

const portSchema = z.object({
  id: z.string(),
  network_id: z.string(),
  mac_address: z.string(),
  status: z.string(),
  device_owner: z.string(),
  fixed_ips: z.array(z.object({ subnet_id: z.string(), ip_address: z.string() })),
  "binding:profile": z.object({
    local_link_information: z
      .array(z.object({ switch_info: z.string(), port_id: z.string() }))
      .optional(),
  }),
});

/** A port of bare metal that is bound to its switch. */
export interface Cabled {
  mac: string;
  switch: string;
  port: string;
  address: string;
  /** The ids of its subnets. */
  subnets: string[];
}

const ports = async (cloud: Cloud) => z.array(portSchema).parse(await cloud.list("ports"));

export async function cabledPorts(cloud: Cloud): Promise<Cabled[]> {
  return (await ports(cloud)).flatMap((port) => {
    const [link] = port["binding:profile"].local_link_information ?? [];
    if (!link || port.status !== "ACTIVE") return [];
    return {
      mac: port.mac_address,
      switch: link.switch_info,
      port: link.port_id,
      address: port.fixed_ips[0]?.ip_address ?? "",
      subnets: port.fixed_ips.map(({ subnet_id }) => subnet_id),
    };
  });
}

/** The prefixes of the subnets whose DHCP a router relays: those that the fabric serves not. */
export async function routedSubnets(cloud: Cloud): Promise<Map<string, string>> {
  const schema = z.array(z.object({ id: z.string(), cidr: z.string(), enable_dhcp: z.boolean() }));
  const subnets = schema.parse(await cloud.list("subnets"));
  const behindRouter = (await ports(cloud))
    .filter(({ device_owner }) => device_owner === "network:router_interface")
    .flatMap(({ fixed_ips }) => fixed_ips.map(({ subnet_id }) => subnet_id));
  return new Map(
    subnets
      .filter(({ id, enable_dhcp }) => !enable_dhcp && behindRouter.includes(id))
      .map(({ id, cidr }) => [id, cidr]),
  );
}

/** The inside addresses that floating IPs lead to. */
export async function addressesOf(cloud: Cloud): Promise<Record<string, string>> {
  const schema = z.array(
    z.object({
      floating_ip_address: z.string(),
      fixed_ip_address: z.string().nullable(),
      status: z.string(),
    }),
  );
  const found = schema.parse(await cloud.list("floatingips"));
  return Object.fromEntries(
    found.flatMap(({ floating_ip_address: outside, fixed_ip_address: inside, status }) =>
      inside !== null && status === "ACTIVE" ? [[outside, inside]] : [],
    ),
  );
}
