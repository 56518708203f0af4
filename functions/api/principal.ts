import { nameSchema, sharedTenant } from "../../core/model/metadata.ts";

/** Who a verified token says is asking. The gateway has checked the token; here its claims are read. */

/** Roles that tokens name. */
const roles = [
  "provider-admin",
  "provider-viewer",
  "tenant-admin",
  "tenant-user",
  "agent",
] as const;
/** Roles that come from memberships, each for a project and what is below. */
export const projectRoles = ["project-manager", "project-viewer"] as const;
type TokenRole = (typeof roles)[number];
export type Role = TokenRole | (typeof projectRoles)[number];

export interface Principal {
  user: string;
  /** Empty for a provider's administrator who belongs to no tenant. */
  tenant: string;
  /** None of one who is only a member of projects. */
  roles: TokenRole[];
  /** The hub that an agent speaks for. */
  hub?: string;
}

export type Claims = Record<string, unknown>;

/**
 * Who the claims say it is: `preferred_username` or `sub`; `organization` (a name, a list, or an object keyed by name) or
 * `tenant`; `roles`; of an agent `hub`, or `sub` as `hub:<id>`. Undefined when they name nobody, one
 * of no tenant who has no role outside tenants, or a tenant that nobody can be of.
 */
export function principalOf(claims: Claims): Principal | undefined {
  const [user] = namesIn(claims.preferred_username ?? claims.sub);
  const [tenant = ""] = namesIn(claims.organization ?? claims.tenant);
  const known = namesIn(claims.roles).filter(isRole);
  if (user === undefined || !isUser(user)) return undefined;
  if (tenant !== "" && !isTenant(tenant)) return undefined;
  if (tenant === "" && !known.some((role) => tenantless.includes(role))) return undefined;
  const hub = known.includes("agent") ? hubIn(claims) : undefined;
  return { user, tenant, roles: known, ...(hub !== undefined && { hub }) };
}

/** A token that says two different hubs is bound to none. */
function hubIn({ hub, sub }: Claims): string | undefined {
  const claimed = typeof hub === "string" && hub !== "" ? hub : undefined;
  const subject = typeof sub === "string" ? /^hub:(.+)$/.exec(sub)?.[1] : undefined;
  if (claimed !== undefined && subject !== undefined && claimed !== subject) return undefined;
  return claimed ?? subject;
}

/** The shared tenant is the provider's. */
const isTenant = (name: string): boolean =>
  nameSchema.safeParse(name).success && name !== sharedTenant;

const tenantless: TokenRole[] = ["provider-admin", "provider-viewer", "agent"];

/** Memberships are found by it. */
const isUser = (name: string): boolean => name.length <= 253 && name.isWellFormed();

const isRole = (name: string): name is TokenRole => (roles as readonly string[]).includes(name);

/** API Gateway turns a list in a claim into text such as `[a b]`. */
function namesIn(claim: unknown): string[] {
  if (typeof claim === "string") {
    const list = claim.startsWith("[") ? claim.slice(1, -1).split(/[\s,]+/) : [claim];
    return list.filter((name) => name !== "");
  }
  if (Array.isArray(claim)) return claim.filter((name) => typeof name === "string");
  return typeof claim === "object" && claim !== null ? Object.keys(claim) : [];
}
