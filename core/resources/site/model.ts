import * as z from "zod";
import {
  cephSchema,
  ironicSchema,
  keaSchema,
  netboxAllocatorSchema,
  netboxInventorySchema,
  neutronSchema,
  powerDnsSchema,
  route53Schema,
  textSchema,
} from "../../at-site/providers.ts";
import type { PoolUse } from "../../at-site/site.ts";
import { numberOf, prefixesOf } from "../../ipv4.ts";
import { baseUrlSchema } from "../../kernel/input/url.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { withinFault } from "../../ports/guest/ovn.ts";
import { type OrphanSystem, type Orphans, orphanPolicies } from "../../ports/orphan.ts";
import { lengthOf, overlap, reservedFault } from "../../prefix.ts";
import { machinesSchema } from "./machines-spec.ts";

/**
 * The provider's systems around the hubs of one place: the network fabric, DNS, storage, and the pools of numbers for
 * orders. Their secrets are in the secret store; the record has the reference.
 */

/** The schema reports an invalid address; `abort` then skips the check of the range. */
const ipv4 = z.ipv4({ error: "must be an IPv4 address", abort: true });

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
          .describe("The prefix to divide, such as 10.64.0.0/12."),
        length: z.int().min(8).max(28).describe("Length of an order's prefix in bits, such as 24."),
      })
      .describe("Prefixes for orders: one for each, cut from a larger one."),
    floating_ips: bounds(ipv4).describe(
      "Outside addresses for orders: two for each, one for the API and one for ingress.",
    ),
    dns_servers: z
      .array(ipv4)
      // Neutron's default limit.
      .max(5)
      .describe("IPv4 addresses of the hosts' name servers, by DHCP, each once."),
    rest_minutes: z
      .int()
      .min(0)
      .max(10_080)
      .default(10)
      .describe("Minutes that a released number rests before it is allocated again."),
  })
  .superRefine(({ vlans, prefixes, floating_ips, dns_servers }, context) => {
    const refuse = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    if (vlans.last < vlans.first) refuse(["vlans", "last"], "must not be below first");
    if (prefixes.length < lengthOf(prefixes.cidr))
      refuse(
        ["prefixes", "length"],
        `must be at least the ${lengthOf(prefixes.cidr)} of the whole`,
      );
    const never = reservedFault(prefixes.cidr) ?? withinFault(prefixes.cidr);
    if (never !== undefined) refuse(["prefixes", "cidr"], never);
    for (const [n, address] of dns_servers.entries()) {
      const fault = reservedFault(`${address}/32`);
      if (fault !== undefined) refuse(["dns_servers", n], fault);
      if (dns_servers.indexOf(address) !== n) refuse(["dns_servers", n], "is listed twice");
    }
    const [first, last] = [numberOf(floating_ips.first), numberOf(floating_ips.last)];
    if (last <= first) refuse(["floating_ips", "last"], "must be above first: an order needs two");
    for (const cidr of prefixesOf(first, last)) {
      const fault = reservedFault(cidr);
      if (fault !== undefined) refuse(["floating_ips"], fault);
      if (overlap(cidr, prefixes.cidr))
        refuse(
          ["floating_ips"],
          `must not be in ${prefixes.cidr}, the prefixes for orders: an address would have two meanings`,
        );
    }
  });

export const siteSpecSchema = z.strictObject({
  fabric: z
    .discriminatedUnion("provider", [neutronSchema])
    .optional()
    .describe("The fabric, for networks."),
  network: networkSchema
    .optional()
    .describe("The numbers of orders on the fabric; required with a fabric."),
  allocator: z
    .discriminatedUnion("provider", [netboxAllocatorSchema])
    .optional()
    .describe(
      "The system that also records the numbers of `network`; by default, only Slipway does.",
    ),
  inventory: z
    .discriminatedUnion("provider", [netboxInventorySchema])
    .optional()
    .describe("The inventory of servers; without it, hosts are created only by the API."),
  dhcp: z
    .discriminatedUnion("provider", [keaSchema])
    .optional()
    .describe("The DHCP service of hosts; the fabric by default."),
  bare_metal: z
    .discriminatedUnion("provider", [ironicSchema])
    .optional()
    .describe("The service that switches and erases the servers of hosts that name its nodes."),
  dns: z
    .discriminatedUnion("provider", [powerDnsSchema, route53Schema])
    .optional()
    .describe("The DNS, for names."),
  storage: z
    .discriminatedUnion("provider", [cephSchema])
    .optional()
    .describe("The storage, for volumes."),
  certificates: z
    .strictObject({
      authority: z
        .string()
        .min(1)
        .max(65_536)
        .describe("PEM: the authority's certificate and its chain to the root."),
    })
    .optional()
    .describe(
      "The authority that signs certificates of ingress; by default, clusters sign their own.",
    ),
  identity_provider: z
    .strictObject({
      name: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/, "must be a short name")
        .describe("Its name on the login page."),
      issuer: baseUrlSchema(/^https$/, "must be an https URL").describe("https URL of the issuer."),
      client_id: textSchema.describe("Client id of the clusters."),
      groups_claim: textSchema.optional().describe("The claim that lists a user's groups."),
    })
    .optional()
    .describe("Who may log in to clusters: an OpenID Connect provider, in place of kubeadmin."),
  machines: machinesSchema
    .optional()
    .describe(
      "How machines at the site boot from the network and report; without it, they boot from a virtual drive.",
    ),
  orphans: z
    .enum(orphanPolicies)
    .optional()
    .describe(
      "What to do with orphans at the site: objects without an owner; `report` by default.",
    ),
});

interface StoredSpec extends z.infer<typeof siteSpecSchema> {
  /** Reference into the secret store: JSON by `siteSecretsSchema`. */
  credentials: string;
}

export interface SiteStatus {
  /** The pools with at least four fifths of their numbers in use. */
  low: PoolUse[];
  /** The differences between the numbers of the site's allocator and Slipway's; absent before the first check. */
  allocator?: {
    drift: number;
    /** The first differences. */
    items: { pool: PoolUse; number: string; message: string }[];
  };
  /** The result of the last import from the site's inventory; absent before the first. */
  inventory?: {
    servers: number;
    /** How many servers need an operator; `items` has the first of these. */
    attention: number;
    items: { server: string; name: string; outcome: string; message: string }[];
  };
  /** The orphans at the site; absent if none was ever found. */
  orphans?: Orphans;
  /** The systems that do not answer; absent while all do. */
  away?: OrphanSystem[];
  /** When the first certificate of its authority ends. */
  authority_ends?: string;
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    site: StoredObject<"site", StoredSpec, SiteStatus>;
  }
}
