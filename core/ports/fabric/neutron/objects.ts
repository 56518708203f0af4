import * as z from "zod";

/** The members of Neutron's objects that the adapter reads. Members that a policy may hide are optional. */

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

const common = {
  id: z.string(),
  name: text,
  description: text,
  tags: z.array(z.string()).default([]),
  created_at: text,
};

const fixedIps = z.array(z.object({ subnet_id: z.string(), ip_address: z.string() })).default([]);

const schemas = {
  networks: z.object({
    ...common,
    status: text,
    "provider:segmentation_id": z.number().nullish(),
  }),
  subnets: z.object({ ...common, network_id: z.string(), cidr: z.string() }),
  routers: z.object({
    ...common,
    status: text,
    external_gateway_info: z
      .object({
        network_id: z.string(),
        enable_snat: z.boolean().optional(),
        external_fixed_ips: fixedIps,
      })
      .nullish(),
  }),
  ports: z.object({
    ...common,
    network_id: z.string(),
    mac_address: z.string(),
    status: text,
    device_id: text,
    device_owner: text,
    fixed_ips: fixedIps,
    security_groups: z.array(z.string()).default([]),
    // Absent without the port security extension.
    port_security_enabled: z.boolean().optional(),
    "binding:vnic_type": z.string().optional(),
    "binding:vif_type": z.string().optional(),
    "binding:host_id": z.string().optional(),
    "binding:profile": z.record(z.string(), z.unknown()).optional(),
  }),
  security_groups: z.object(common),
  security_group_rules: z.object({
    ...common,
    security_group_id: z.string(),
    direction: z.enum(["ingress", "egress"]),
    ethertype: text,
    protocol: z.string().nullish(),
    port_range_min: z.number().nullish(),
    port_range_max: z.number().nullish(),
    remote_ip_prefix: z.string().nullish(),
    remote_group_id: z.string().nullish(),
  }),
  floatingips: z.object({
    ...common,
    status: text,
    floating_ip_address: z.string(),
    fixed_ip_address: z.string().nullish(),
    port_id: z.string().nullish(),
  }),
};

export type NeutronCollection = keyof typeof schemas;
export type ObjectIn<C extends NeutronCollection> = z.output<(typeof schemas)[C]>;
export type Network = ObjectIn<"networks">;
export type NeutronSubnet = ObjectIn<"subnets">;
export type Router = ObjectIn<"routers">;
export type Port = ObjectIn<"ports">;
export type NeutronGroupRule = ObjectIn<"security_group_rules">;
export type NeutronFloatingIp = ObjectIn<"floatingips">;

export const collectionPathOf = (collection: NeutronCollection): string =>
  `/v2.0/${collection.replaceAll("_", "-")}`;

/** The key of one object in a request or answer. */
export const singular = (collection: NeutronCollection): string => collection.slice(0, -1);

/** Parses an object; throws a ZodError. */
export function parseObject<C extends NeutronCollection>(
  collection: C,
  value: unknown,
): ObjectIn<C> {
  // The schema under this name is the collection's, which the compiler cannot infer.
  return schemas[collection].parse(value) as ObjectIn<C>;
}
