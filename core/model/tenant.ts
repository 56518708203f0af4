import * as z from "zod";
import type { StoredObject } from "./object.ts";

/** Roles that a portal can have when it acts for a tenant. */
const portalRoles = ["tenant-admin", "tenant-user"] as const;

/**
 * Who can be a tenant: anybody whom an issuer names, whose record is made with the first thing that
 * it gets; or only those whom the provider has written down before.
 */
export const tenantPolicies = ["first-use", "registered"] as const;
export type TenantPolicy = (typeof tenantPolicies)[number];

/** A customer as the provider keeps it. Its id is its name, which tokens name too. */
export const tenantSpecSchema = z.strictObject({
  /** Of its people's mail addresses, such as `example.com`. */
  domains: z.array(z.string().min(1).max(253)).max(100).optional(),
  /** Portals' service accounts that may act for it, by the user in their tokens, each in one role. */
  service_accounts: z
    .array(z.strictObject({ user: z.string().min(1).max(253), role: z.enum(portalRoles) }))
    .max(20)
    .optional(),
});
export type TenantSpec = z.infer<typeof tenantSpecSchema>;

/** Of OSAC's states; ours are complete once they are stored. */
export interface TenantStatus {
  state: "TENANT_STATE_SYNCED";
}

export type Tenant = StoredObject<"tenant", TenantSpec, TenantStatus>;
