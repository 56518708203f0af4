import * as z from "zod";
import type { StoredObject } from "../../kernel/object/object.ts";

/** The roles that a portal can have when it acts for a tenant. */
export const portalRoles = ["tenant-admin", "tenant-user"] as const;

/**
 * The possible tenants: everybody whom an issuer names, with a record from their first object on;
 * or only tenants that the provider has registered.
 */
export const tenantPolicies = ["first-use", "registered"] as const;
export type TenantPolicy = (typeof tenantPolicies)[number];

/** A customer in the provider's records. Its name is its id, and tokens have it too. */
export const tenantSpecSchema = z.strictObject({
  domains: z
    .array(z.string().min(1).max(253))
    .max(100)
    .optional()
    .describe("Domains of its people's mail addresses, such as `example.com`."),
  service_accounts: z
    .array(
      z.strictObject({
        user: z.string().min(1).max(253).describe("The user in the account's tokens."),
        role: z.enum(portalRoles).describe("What the account may do for the tenant."),
      }),
    )
    .max(20)
    .optional()
    .describe("Service accounts of portals that act for the tenant, each with one role."),
});
export type TenantSpec = z.infer<typeof tenantSpecSchema>;

/** One of OSAC's states; a tenant of Slipway is complete once it is stored. */
export interface TenantStatus {
  state: "TENANT_STATE_SYNCED";
}

export type Tenant = StoredObject<"tenant", TenantSpec, TenantStatus>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    tenant: Tenant;
  }
}
