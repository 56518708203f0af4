import * as z from "zod";
import { dnsNameSchema } from "../kernel/input/text.ts";
import { baseUrlSchema } from "../kernel/input/url.ts";

/** The systems that a site may have, with the settings of each provider. */

const url = baseUrlSchema(/^https?$/, "must be a URL, such as https://dns.example.com");
const zone = dnsNameSchema(253);
export const textSchema = z.string().min(1).max(253);

export const neutronSchema = z.strictObject({
  provider: z.literal("neutron").describe("The system that makes networks."),
  auth_url: url.describe("URL of Keystone, with or without `/v3`."),
  region: textSchema.optional().describe("OpenStack region, where there are several."),
  credential_id: textSchema.describe("Id of the application credential."),
  physical_network: textSchema.describe("Name of the physical network that VLANs are on."),
  external_network: textSchema.describe("Id of the network that floating IPs are on."),
});

export const keaSchema = z.strictObject({
  provider: z.literal("kea").describe("Kea's DHCPv4 server."),
  url: url.describe("URL of its HTTP socket, or of the control agent before it."),
  username: textSchema.describe("The user that Slipway asks as."),
});

export const ironicSchema = z
  .strictObject({
    provider: z.literal("ironic").describe("OpenStack's bare metal service."),
    url: url.optional().describe("URL of its API, without `/v1`, where it is part of no cloud."),
    username: textSchema
      .optional()
      .describe("The user that Slipway asks as there, with HTTP basic."),
    auth_url: url.optional().describe("URL of the cloud's Keystone, with or without `/v3`."),
    region: textSchema.optional().describe("OpenStack region, where there are several."),
    credential_id: textSchema.optional().describe("Id of the application credential."),
  })
  .superRefine((spec, context) => {
    const isOfCloud = spec.auth_url !== undefined;
    const wanted = isOfCloud ? ["credential_id"] : ["url", "username"];
    const others = isOfCloud ? ["url", "username"] : ["region", "credential_id"];
    const has = new Set(Object.keys(spec));
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: "custom", path: [name], message });
    for (const name of wanted) if (!has.has(name)) refuse(name, "is required");
    for (const name of others)
      if (has.has(name))
        refuse(name, isOfCloud ? "has no place beside auth_url" : "goes with auth_url alone");
  });
export type IronicSpec = z.infer<typeof ironicSchema>;

export const powerDnsSchema = z.strictObject({
  provider: z.literal("powerdns").describe("A PowerDNS server."),
  url: url.describe("URL of its HTTP API."),
  zone: zone.describe("The zone that names are entered into."),
  servers: z
    .array(textSchema)
    .min(1)
    .max(16)
    .describe(
      "The servers that answer for the zone: IP addresses, with a port where it is not 53.",
    ),
});

export const route53Schema = z.strictObject({
  provider: z.literal("route53").describe("Route 53 of AWS."),
  zone: zone.describe("The zone that names are entered into."),
  hosted_zone: textSchema.describe("Id of the hosted zone."),
});

export const cephSchema = z.strictObject({
  provider: z.literal("ceph").describe("A Ceph cluster."),
  url: url.describe("URL of the manager's REST API."),
  pool: textSchema.describe("The pool that volumes are in."),
  username: textSchema.describe("The user that Slipway logs in as."),
});

const netboxUrl = url.describe("URL of NetBox, without `/api`.");
const netboxId = z.int().min(1);

export const netboxAllocatorSchema = z.strictObject({
  provider: z.literal("netbox").describe("A NetBox, 4.2 or later."),
  url: netboxUrl,
  given_out_by: z
    .enum(["slipway", "netbox"])
    .default("slipway")
    .describe(
      "Who says which numbers an order gets: `slipway`, which then writes them into NetBox, or `netbox`.",
    ),
  vlan_group: netboxId.describe("Id of the VLAN group that has the VLAN ids of `network`."),
  prefix: netboxId.describe("Id of the prefix that is the whole of `network.prefixes`."),
  ip_range: netboxId.describe("Id of the IP range that is `network.floating_ips`."),
});
export type NetboxAllocator = z.infer<typeof netboxAllocatorSchema>;

const slug = z.string().regex(/^[-a-zA-Z0-9_]{1,100}$/, "must be a slug, such as hall-1");

export const netboxInventorySchema = z.strictObject({
  provider: z.literal("netbox").describe("A NetBox, 4.2 or later."),
  url: netboxUrl,
  site: slug.optional().describe("Slug of the site of the servers."),
  role: slug.optional().describe("Slug of the role of the servers."),
  status: slug.optional().describe("Status of the servers, such as `active`."),
  tag: slug.optional().describe("Slug of a tag of the servers."),
  hub: textSchema.describe("Name or id of the hub whose discovery network the servers boot from."),
  host_types: z
    .record(z.string().min(1).max(100), z.string().min(1).max(63))
    .describe("The host type of each device type, by the device type's model."),
  bmc: z
    .string()
    .max(2048)
    .refine((address) => address.includes("{address}"), "must contain {address}")
    .default("redfish://{address}")
    .describe("How the address of a server's controller is made of its out-of-band IP."),
});
