import * as z from "zod";
import { canonicalCidr } from "../../kernel/input/cidr.ts";
import { lengthOf } from "../../kernel/input/prefix.ts";
import { lineSchema } from "../../kernel/input/text.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";

/**
 * A class of networks: who makes a tenant's network real, and where its numbers come from. The provider
 * writes classes; tenants order networks of one, and get the default class unless they name another.
 */

/** Who makes a network real: the fabric of a site, OVN-Kubernetes on a hub, or the DPUs of servers. */
export const strategies = ["fabric", "hub", "overlay"] as const;
export type Strategy = (typeof strategies)[number];

/** A prefix, in canonical form. */
export const cidrSchema = z.string().transform((text, context) => {
  const cidr = canonicalCidr(text);
  if (cidr !== undefined) return cidr;
  context.addIssue({
    code: "custom",
    message: `'${text.slice(0, 64)}' is not a CIDR, such as 10.20.0.0/16`,
  });
  return z.NEVER;
});

const poolSchema = z
  .strictObject({
    cidr: cidrSchema.describe("The whole, such as 10.128.0.0/12."),
    length: z
      .int()
      .min(8)
      .max(120)
      .describe("The length of each subnet's prefix in bits, such as 24."),
  })
  .refine(({ cidr, length }) => length >= lengthOf(cidr), {
    path: ["length"],
    message: "must be at least that of the whole",
  });

export const networkClassSettingsSchema = z.strictObject({
  prefixes: poolSchema
    .optional()
    .describe(
      "Prefixes for subnets that name none: each is cut from a whole that only this class uses.",
    ),
  reserved: z
    .array(cidrSchema)
    .max(64)
    .optional()
    .describe("Prefixes that no network of this class may have, such as those of the provider."),
  allows_public: z
    .boolean()
    .optional()
    .describe("Whether networks may have public prefixes; only private ones unless said."),
  rest_minutes: z
    .int()
    .min(0)
    .max(10_080)
    .default(10)
    .describe("Minutes for which a released number rests before another network gets it."),
});

export interface NetworkClassSpec extends z.infer<typeof networkClassSettingsSchema> {
  title?: string;
  description?: string;
  implementation_strategy: Strategy;
  is_default: boolean;
  /** The site whose fabric makes the networks; only for the strategy `fabric`. */
  site?: Reference;
}

/** The members of a class that stand outside `spec` on the wire, as OSAC has them. */
export const networkClassTextSchema = {
  title: lineSchema(128).optional().describe("A short title for people."),
  description: z.string().max(1024).optional().describe("What such a network is good for."),
  implementation_strategy: z
    .enum(strategies)
    .describe("Who makes its networks real: a site's fabric, a hub, or the DPUs of servers."),
  is_default: z
    .boolean()
    .optional()
    .describe("Whether orders that name no class get this one; the class that had this loses it."),
};

export interface NetworkClassStatus {
  state: "NETWORK_CLASS_STATE_READY";
}

export type NetworkClass = StoredObject<"network_class", NetworkClassSpec, NetworkClassStatus>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    network_class: NetworkClass;
  }
}
