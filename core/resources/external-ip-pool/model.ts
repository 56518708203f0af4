import * as z from "zod";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { lowMarkSchema } from "../../ports/ipam/low-mark.ts";
import type { Family } from "../../prefix.ts";
import { cidrSchema } from "../network-class/model.ts";

/**
 * A pool of outside addresses for tenants' external IPs. The provider creates pools, with prefixes of a site's outside
 * network or, without a site, with prefixes whose addresses the DPUs of servers announce.
 */

export const ipFamilies = ["IP_FAMILY_IPV4", "IP_FAMILY_IPV6"] as const;
export type IpFamily = (typeof ipFamilies)[number];

export const familyOfPool: Record<IpFamily, Family> = {
  IP_FAMILY_IPV4: "ipv4",
  IP_FAMILY_IPV6: "ipv6",
};

export const externalIpPoolSettingsSchema = z.strictObject({
  ip_family: z.enum(ipFamilies).describe("The family of its addresses."),
  cidrs: z
    .array(cidrSchema)
    .min(1)
    .max(16)
    .describe(
      "Its prefixes; every address is allocated. After the first allocation, prefixes can only be added at the end.",
    ),
  low_mark: lowMarkSchema("addresses"),
  rest_minutes: z
    .int()
    .min(0)
    .max(10_080)
    .default(10)
    .describe("Minutes that a released address rests before it is allocated again."),
});

export interface ExternalIpPoolSpec extends z.output<typeof externalIpPoolSettingsSchema> {
  /** The site whose outside network has the addresses. */
  site?: Reference;
}

export interface ExternalIpPoolStatus {
  state: "EXTERNAL_IP_POOL_STATE_READY";
  /** Whether fewer addresses are free than the low mark. */
  low: boolean;
}

export type ExternalIpPool = StoredObject<
  "external_ip_pool",
  ExternalIpPoolSpec,
  ExternalIpPoolStatus
>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    external_ip_pool: ExternalIpPool;
  }
}
