import * as z from "zod";
import { numberOf } from "../../ipv4.ts";
import { dnsNameSchema } from "../../kernel/input/text.ts";
import { urlSchema } from "../../kernel/input/url.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { type Orphans, orphanPolicies } from "../../ports/orphan.ts";
import { lengthOf } from "../../prefix.ts";

/**
 * The provider's systems around the hubs of one place: the network fabric, DNS, storage, and the pools
 * of numbers for orders. Secrets are in the secret store; the record holds the reference.
 */

const url = urlSchema(/^https?$/, "must be a URL, such as https://dns.example.com");
const zone = dnsNameSchema(253);
const text = z.string().min(1).max(253);
/** The schema reports an invalid address; `abort` then skips the check of the range. */
const ipv4 = z.ipv4({ error: "must be an IPv4 address", abort: true });

const neutronSchema = z.strictObject({
  provider: z.literal("neutron").describe("The system that makes networks."),
  auth_url: url.describe("URL of Keystone, with or without `/v3`."),
  region: text.optional().describe("OpenStack region, where there are several."),
  credential_id: text.describe("Id of the application credential."),
  physical_network: text.describe("Name of the physical network that VLANs are on."),
  external_network: text.describe("Id of the network that floating IPs are on."),
});

const keaSchema = z.strictObject({
  provider: z.literal("kea").describe("Kea's DHCPv4 server."),
  url: url.describe("URL of its HTTP socket, or of the control agent before it."),
  username: text.describe("The user that Slipway asks as."),
});

const ironicSchema = z
  .strictObject({
    provider: z.literal("ironic").describe("OpenStack's bare metal service."),
    url: url.optional().describe("URL of its API, without `/v1`, where it is part of no cloud."),
    username: text.optional().describe("The user that Slipway asks as there, with HTTP basic."),
    auth_url: url.optional().describe("URL of the cloud's Keystone, with or without `/v3`."),
    region: text.optional().describe("OpenStack region, where there are several."),
    credential_id: text.optional().describe("Id of the application credential."),
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

const powerDnsSchema = z.strictObject({
  provider: z.literal("powerdns").describe("A PowerDNS server."),
  url: url.describe("URL of its HTTP API."),
  zone: zone.describe("The zone that names are entered into."),
  servers: z
    .array(text)
    .min(1)
    .max(16)
    .describe(
      "The servers that answer for the zone: IP addresses, with a port where it is not 53.",
    ),
});

const route53Schema = z.strictObject({
  provider: z.literal("route53").describe("Route 53 of AWS."),
  zone: zone.describe("The zone that names are entered into."),
  hosted_zone: text.describe("Id of the hosted zone."),
});

const cephSchema = z.strictObject({
  provider: z.literal("ceph").describe("A Ceph cluster."),
  url: url.describe("URL of the manager's REST API."),
  pool: text.describe("The pool that volumes are in."),
  username: text.describe("The user that Slipway logs in as."),
});

const netboxUrl = url.describe("URL of NetBox, without `/api`.");
const netboxId = z.int().min(1);

const netboxAllocatorSchema = z.strictObject({
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

const netboxInventorySchema = z.strictObject({
  provider: z.literal("netbox").describe("A NetBox, 4.2 or later."),
  url: netboxUrl,
  site: slug.optional().describe("Slug of the site of the servers."),
  role: slug.optional().describe("Slug of the role of the servers."),
  status: slug.optional().describe("Status of the servers, such as `active`."),
  tag: slug.optional().describe("Slug of a tag of the servers."),
  hub: text.describe("Name or id of the hub whose discovery network the servers boot from."),
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

const vlan = z.int().min(1).max(4094);
const bounds = <Bound extends z.ZodType>(bound: Bound) =>
  z.strictObject({
    first: bound.describe("The first of them."),
    last: bound.describe("The last of them, included."),
  });

const networkSchema = z
  .strictObject({
    vlans: bounds(vlan).describe("VLAN ids for orders: one for each."),
    prefixes: z
      .strictObject({
        cidr: z
          .cidrv4({ error: "must be an IPv4 prefix, such as 10.64.0.0/12", abort: true })
          .describe("The whole, such as 10.64.0.0/12."),
        length: z.int().min(8).max(28).describe("Length of an order's prefix in bits, such as 24."),
      })
      .describe("Prefixes for orders: one for each, cut from a larger one."),
    floating_ips: bounds(ipv4).describe(
      "Outside addresses for orders: two for each, one for the API and one for ingress.",
    ),
    dns_servers: z
      .array(ipv4)
      .max(8)
      .describe("IPv4 addresses of name servers that DHCP tells the hosts of orders."),
    rest_minutes: z
      .int()
      .min(0)
      .max(10_080)
      .default(10)
      .describe("Minutes for which a released number rests before another order gets it."),
  })
  .superRefine(({ vlans, prefixes, floating_ips }, context) => {
    const refuse = (path: string[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    if (vlans.last < vlans.first) refuse(["vlans", "last"], "must not be below first");
    if (prefixes.length < lengthOf(prefixes.cidr))
      refuse(
        ["prefixes", "length"],
        `must be at least the ${lengthOf(prefixes.cidr)} of the whole`,
      );
    if (numberOf(floating_ips.last) <= numberOf(floating_ips.first))
      refuse(["floating_ips", "last"], "must be above first: an order needs two");
  });
export type SiteNetwork = z.infer<typeof networkSchema>;

export const siteSpecSchema = z.strictObject({
  fabric: z
    .discriminatedUnion("provider", [neutronSchema])
    .optional()
    .describe("Where networks are made."),
  network: networkSchema
    .optional()
    .describe("The numbers that orders get on the fabric; required with a fabric."),
  allocator: z
    .discriminatedUnion("provider", [netboxAllocatorSchema])
    .optional()
    .describe(
      "Where the numbers of `network` are written down; with Slipway alone where there is none.",
    ),
  inventory: z
    .discriminatedUnion("provider", [netboxInventorySchema])
    .optional()
    .describe("Where servers are written down; without it, hosts come in by the API alone."),
  dhcp: z
    .discriminatedUnion("provider", [keaSchema])
    .optional()
    .describe("Where hosts get their addresses; without it, from the fabric."),
  bare_metal: z
    .discriminatedUnion("provider", [ironicSchema])
    .optional()
    .describe("What switches and erases the servers of hosts that name one of its nodes."),
  dns: z
    .discriminatedUnion("provider", [powerDnsSchema, route53Schema])
    .optional()
    .describe("Where names are entered."),
  storage: z
    .discriminatedUnion("provider", [cephSchema])
    .optional()
    .describe("Where volumes are made."),
  certificates: z
    .strictObject({
      authority: z
        .string()
        .min(1)
        .max(65_536)
        .describe("PEM: the authority's certificate, and what leads up to its root."),
    })
    .optional()
    .describe(
      "The authority that signs certificates of ingress; without it, clusters keep the certificates that they make themselves.",
    ),
  identity_provider: z
    .strictObject({
      name: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/, "must be a short name")
        .describe("Its name on the login page."),
      issuer: urlSchema(/^https$/, "must be an https URL").describe("https URL of the issuer."),
      client_id: text.describe("Id of the client that clusters are there."),
      groups_claim: text.optional().describe("The claim that lists a user's groups."),
    })
    .optional()
    .describe("Who may log in to clusters: an OpenID Connect provider, in place of kubeadmin."),
  orphans: z
    .enum(orphanPolicies)
    .optional()
    .describe(
      "What to do with orphans at the site: objects without an owner; `report` by default.",
    ),
});

export interface SiteSpec extends z.infer<typeof siteSpecSchema> {
  /** Reference into the secret store: what `siteSecretsSchema` says, as JSON. */
  credentials: string;
}

/** Providers that need no secret: their adapters use the identity of the process. */
export const withoutSecret: ReadonlySet<string> = new Set(["route53"]);

/** The one secret of each system. */
export const siteSecretsSchema = z.object({
  fabric: z.string().optional(),
  allocator: z.string().optional(),
  inventory: z.string().optional(),
  dhcp: z.string().optional(),
  bare_metal: z.string().optional(),
  dns: z.string().optional(),
  storage: z.string().optional(),
  certificates: z.string().optional(),
  identity_provider: z.string().optional(),
});
export type SiteSecrets = z.infer<typeof siteSecretsSchema>;
/** The parts of a site that have a secret. */
export const secretParts = [
  "fabric",
  "allocator",
  "inventory",
  "dhcp",
  "bare_metal",
  "dns",
  "storage",
  "certificates",
  "identity_provider",
] as const satisfies (keyof SiteSecrets)[];

export const poolUses = ["vlans", "prefixes", "floating_ips"] as const;
export type PoolUse = (typeof poolUses)[number];

/** The name of a site's pool for one use. */
export const poolName = (site: string, use: PoolUse): string => `${use}#${site}`;

export interface SiteStatus {
  /** Pools that are at least four fifths in use. */
  low: PoolUse[];
  /** The numbers that the site's allocator shows otherwise than Slipway has them; absent before the first look. */
  allocator?: {
    drift: number;
    /** The first of them. */
    items: { pool: PoolUse; number: string; message: string }[];
  };
  /** What the last import from the site's inventory has made of it; absent before the first. */
  inventory?: {
    servers: number;
    /** How many of them somebody has to look at; `items` are the first of these. */
    attention: number;
    items: { server: string; name: string; outcome: string; message: string }[];
  };
  /** The orphans at the site; absent if none were ever found. */
  orphans?: Orphans;
}

export type Site = StoredObject<"site", SiteSpec, SiteStatus>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    site: Site;
  }
}
