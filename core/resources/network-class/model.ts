import * as z from "zod";
import { canonicalCidr } from "../../kernel/input/cidr.ts";
import { lineSchema } from "../../kernel/input/text.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { lowMarkSchema } from "../../ports/ipam/low-mark.ts";
import type { Family } from "../../prefix.ts";

/**
 * A class of networks, which determines the system that makes them. The provider creates classes; a tenant's order
 * names one or gets the default class.
 */

/** The systems that make networks: the fabric of a site, OVN-Kubernetes on a hub, or the DPUs of servers. */
export const strategies = ["fabric", "hub", "overlay"] as const;
export type Strategy = (typeof strategies)[number];

/** A prefix, in canonical form. */
export const cidrSchema = z.string().transform((text, context) => {
  const cidr = canonicalCidr(text);
  if (cidr !== undefined) return cidr;
  context.addIssue({
    code: "custom",
    message: `'${text.slice(0, 64)}' is not a CIDR, such as 10.20.0.0/16 or fd00:20::/48`,
  });
  return z.NEVER;
});

const lengthSchema = (least: number, most: number) => z.int().min(least).max(most).optional();

const prefixPoolSchema = z.strictObject({
  cidrs: z
    .array(cidrSchema)
    .min(1)
    .max(16)
    .describe(
      "The pool's prefixes; after the first allocation, prefixes can only be added at the end.",
    ),
  length: z.int().describe("The length of the prefix that a network gets, in bits."),
  low_mark: lowMarkSchema("prefixes"),
});
export type PrefixPool = z.output<typeof prefixPoolSchema>;

/** The pools of numbers that a class can have for its networks. */
export const prefixUses = ["ipv4", "ipv6"] as const satisfies Family[];
export const classPools = [...prefixUses, "vnis"] as const;
export type ClassPool = (typeof classPools)[number];

/** VXLAN's and Geneve's network identifiers have 24 bits. */
const lastVni = 2 ** 24 - 1;

export const networkClassSettingsSchema = z.strictObject({
  prefix_pools: z
    .strictObject({
      ipv4: prefixPoolSchema.optional().describe("The IPv4 prefixes."),
      ipv6: prefixPoolSchema.optional().describe("The IPv6 prefixes."),
    })
    .optional()
    .describe("Pools for networks that name no prefix, one of each family."),
  vni_range: z
    .strictObject({
      first: z.int().min(1).max(lastVni).describe("The first VNI."),
      last: z.int().min(1).max(lastVni).describe("The last VNI; a change can only raise it."),
      low_mark: lowMarkSchema("VNIs"),
    })
    .refine(({ first, last }) => first <= last, {
      path: ["last"],
      error: "must not be below first",
    })
    .optional()
    .describe(
      "The VNIs of its networks, one each; required by the strategy `overlay`, and only for it.",
    ),
  defaults: z
    .strictObject({
      virtual_network_ipv4_cidr: cidrSchema.optional().describe("IPv4 prefix of the network."),
      virtual_network_ipv6_cidr: cidrSchema.optional().describe("IPv6 prefix of the network."),
      subnet_ipv4_cidr: cidrSchema.optional().describe("IPv4 prefix of the subnet in it."),
      subnet_ipv6_cidr: cidrSchema.optional().describe("IPv6 prefix of the subnet in it."),
    })
    .optional()
    .describe(
      "If this is the default class, each new tenant gets a network, a subnet and a security group named `default`. By default, prefixes come from the pools and from the network.",
    ),
  subnet_lengths: z
    .strictObject({
      ipv4: lengthSchema(8, 28).describe("Bits of an IPv4 prefix; 24 by default."),
      ipv6: lengthSchema(48, 120).describe("Bits of an IPv6 prefix; 64 by default."),
    })
    .optional()
    .describe("The default length of subnets' prefixes."),
  reserved: z
    .array(cidrSchema)
    .max(64)
    .optional()
    .describe("Prefixes that no network of this class may have, besides the site's own."),
  allows_public: z
    .boolean()
    .optional()
    .describe("Whether networks may have public prefixes; false by default."),
});

export interface NetworkClassSpec extends z.infer<typeof networkClassSettingsSchema> {
  title?: string;
  description?: string;
  implementation_strategy: Strategy;
  is_default: boolean;
  /** The site whose fabric makes the networks; set only for the strategy `fabric`. */
  site?: Reference;
  /** The hub that carries the networks; set only for the strategy `hub`. */
  hub?: Reference;
}

/** The members of a class outside of `spec` on the wire, like OSAC's. */
export const networkClassTextSchema = {
  title: lineSchema(128).optional().describe("A short title for people."),
  description: z.string().max(1024).optional().describe("The purpose of such a network."),
  implementation_strategy: z
    .enum(strategies)
    .describe("What implements its networks: a site's fabric, a hub, or the DPUs of servers."),
  is_default: z
    .boolean()
    .optional()
    .describe("Whether it is the default of orders; replaces the default class before it."),
};

export interface NetworkClassStatus {
  state: "NETWORK_CLASS_STATE_READY";
  /** The pools with fewer free numbers than their low mark. */
  low: ClassPool[];
}

export type NetworkClass = StoredObject<"network_class", NetworkClassSpec, NetworkClassStatus>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    network_class: NetworkClass;
  }
}
