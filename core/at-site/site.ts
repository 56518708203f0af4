import * as z from "zod";
import type { ObjectOf } from "../kernel/object/object-of.ts";

/** A stored site, as other objects use it: its systems, their secrets, and its pools of numbers. */
export type Site = ObjectOf["site"];
export type SiteSpec = Site["spec"];
export type SiteNetwork = NonNullable<SiteSpec["network"]>;

/** Providers that need no secret: their adapters use the identity of the process. */
export const withoutSecret: ReadonlySet<string> = new Set(["route53"]);

/** The secret of each system. */
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

/** The name of a site's pool for a use. */
export const poolName = (site: string, use: PoolUse): string => `${use}#${site}`;
