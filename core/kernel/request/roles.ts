/** The roles of users. Tokens and stored role bindings give roles, and permissions name them. */

/** Roles that a token may name. */
export const tokenRoles = [
  "provider-admin",
  "provider-viewer",
  "tenant-admin",
  "tenant-user",
  "agent",
  "portal",
] as const;
/** Roles that memberships give, each for a project and those below it. */
export const projectRoles = ["project-manager", "project-viewer"] as const;
export type TokenRole = (typeof tokenRoles)[number];
export type Role = TokenRole | (typeof projectRoles)[number];

/** Whether a role sees every tenant. */
export const isStaff = (role: Role): boolean =>
  role === "provider-admin" || role === "provider-viewer";

/**
 * Roles that the provider gives: they need no tenant, and an issuer that is limited to tenants
 * cannot give them.
 */
const tenantless: readonly Role[] = ["provider-admin", "provider-viewer", "agent", "portal"];

/** Whether only the provider gives a role. */
export const isOfProvider = (role: Role): boolean => tenantless.includes(role);
