import { isName, sharedTenant } from "../../core/kernel/object/metadata.ts";
import { isOfProvider, type TokenRole, tokenRoles } from "../../core/kernel/request/roles.ts";
import { type Claims, claimAt, namesIn } from "./claims.ts";

/** The principal of a verified token, by its claims. */

export interface Principal {
  user: string;
  /** Empty for a provider's administrator who belongs to no tenant. */
  tenant: string;
  /** Empty for a user who is only a member of projects, or bound to roles. */
  roles: TokenRole[];
  /** Groups of its tenant, to which bindings may give roles. */
  groups?: string[];
  /** The hub that an agent speaks for. */
  hub?: string;
  /** Whether the issuer may assert only some tenants; then the provider's roles do not count, even by a binding. */
  isRestricted?: true;
}

/** The acting user: a token's principal, or a user for whom a portal acts. */
export interface Actor extends Principal {
  /** Whether only these roles count, without grants to the user. */
  isActedFor?: true;
}

/** The meaning of an issuer's claims; by default claims have Slipway's own names. */
export interface ClaimMapping {
  /** Names of claims, or paths such as `realm_access.roles`. */
  claims?: {
    user?: string | undefined;
    tenant?: string | undefined;
    groups?: string | undefined;
    roles?: string | undefined;
  };
  /** A prefix for the names of users and groups, so that no two issuers share a user. */
  userPrefix?: string | undefined;
  /** The prefix of roles for Slipway; roles without it are ignored. */
  rolePrefix?: string | undefined;
  /** The roles that members of groups get. */
  groups?: Readonly<Record<string, readonly TokenRole[]>> | undefined;
  /** Tenants that this issuer may assert. If set, the issuer cannot grant the provider's roles. */
  tenants?: readonly string[] | undefined;
}

/**
 * The principal of a token's claims: the user by `preferred_username` or `sub`; the tenant by `organization` (a
 * name, a list, or an object keyed by name) or `tenant`; roles by `roles` and `groups`; an agent's hub by `hub`, or
 * by `sub` as `hub:<id>`. Undefined if the claims name no user, or no tenant and no role outside tenants, or a
 * tenant that this issuer may not assert.
 */
export function principalOf(claims: Claims, mapping: ClaimMapping = {}): Principal | undefined {
  const { claims: names = {}, userPrefix = "", tenants } = mapping;
  const said =
    names.user === undefined
      ? (claims.preferred_username ?? claims.sub)
      : claimAt(claims, names.user);
  if (typeof said !== "string" || said === "") return undefined;
  const user = userPrefix + said;
  const tenant = tenantIn(claims, mapping);
  if (!isUser(user) || (tenant !== "" && !isTenant(tenant))) return undefined;
  if (tenants && !tenants.includes(tenant)) return undefined;
  const groups = groupsIn(claims, mapping)
    .map((group) => userPrefix + group)
    .filter(isUser)
    .slice(0, maxGroups);
  const roles = rolesIn(claims, mapping).filter((role) =>
    isOfProvider(role) ? tenants === undefined : tenant !== "",
  );
  if (tenant === "" && roles.length === 0) return undefined;
  const hub = roles.includes("agent") ? hubIn(claims) : undefined;
  return {
    user,
    tenant,
    roles,
    ...(groups.length > 0 && { groups }),
    ...(hub !== undefined && { hub }),
    ...(tenants && { isRestricted: true }),
  };
}

/** The tenant of a token. Tokens of an issuer with a single tenant need not name it. */
function tenantIn(claims: Claims, { claims: names = {}, tenants }: ClaimMapping): string {
  const [said] = namesIn(
    names.tenant === undefined
      ? (claims.organization ?? claims.tenant)
      : claimAt(claims, names.tenant),
  );
  return said ?? (tenants?.length === 1 ? tenants[0] : undefined) ?? "";
}

function rolesIn(claims: Claims, mapping: ClaimMapping): TokenRole[] {
  const { claims: names = {}, rolePrefix = "", groups = {} } = mapping;
  const claim = names.roles === undefined ? claims.roles : claimAt(claims, names.roles);
  // Text is split at blanks, like OAuth's `scope`. In a list, a name with blanks is one role, and none of
  // Slipway's.
  const said = (typeof claim === "string" ? claim.split(" ") : namesIn(claim))
    .filter((role) => role.startsWith(rolePrefix))
    .map((role) => role.slice(rolePrefix.length));
  const given = groupsIn(claims, mapping).flatMap(
    (group) => (Object.hasOwn(groups, group) ? groups[group] : []) ?? [],
  );
  return [...new Set([...said.filter(isRole), ...given])];
}

const groupsIn = (claims: Claims, { claims: names = {} }: ClaimMapping): string[] =>
  namesIn(names.groups === undefined ? claims.groups : claimAt(claims, names.groups));

/** The hub of a token; none where it names two different ones. */
function hubIn({ hub, sub }: Claims): string | undefined {
  const claimed = typeof hub === "string" && hub !== "" ? hub : undefined;
  const subject = typeof sub === "string" ? /^hub:(.+)$/.exec(sub)?.[1] : undefined;
  if (claimed !== undefined && subject !== undefined && claimed !== subject) return undefined;
  return claimed ?? subject;
}

/** The shared tenant belongs to the provider. */
const isTenant = (name: string): boolean => isName(name) && name !== sharedTenant;

/** Each group costs a query where the token's roles do not suffice. */
const maxGroups = 50;

/** Keys of memberships and bindings contain the name. */
const isUser = (name: string): boolean => name.length <= 253 && name.isWellFormed();

const isRole = (name: string): name is TokenRole =>
  (tokenRoles as readonly string[]).includes(name);
