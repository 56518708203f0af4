import { AppError } from "../../core/error.ts";
import type { Behalf } from "../../core/kernel/object/object.ts";
import { load, type Records } from "../../core/kernel/object/records.ts";
import { isPlausibleId, notFound } from "../../core/kernel/request/caller.ts";
import type { Actor, Principal } from "../identity/principal.ts";
import { badParameter } from "./parameters.ts";

/**
 * Portals act for tenants: a portal's service account names the tenant, and may name one of its
 * users.
 */

const tenantHeader = "Slipway-On-Behalf-Of";
const userHeader = "Slipway-On-Behalf-Of-User";

/**
 * The tenant and user that the headers name; undefined for a request of the caller's own. Throws Invalid for
 * headers that contradict each other.
 */
export function behalfIn(header: (name: string) => string | undefined): Behalf | undefined {
  const [tenant, user] = [header(tenantHeader), header(userHeader)];
  if (tenant === undefined && user === undefined) return undefined;
  if (!tenant) throw badParameter(tenantHeader, "must name a tenant");
  if (user === undefined) return { tenant };
  if (user === "" || user.length > 253) throw badParameter(userHeader, "must name a user");
  return { tenant, user };
}

/**
 * A portal as the user whom it names, else as its own account, in the role that the tenant's record gives the
 * account. Throws Forbidden for a caller who is not a portal. Throws NotFound, in the same words, for a tenant that
 * does not exist or does not let this portal act for it.
 */
export async function actingFor(
  records: Records,
  { user: account, roles }: Principal,
  { tenant, user = account }: Behalf,
): Promise<Actor> {
  if (!roles.includes("portal")) throw new AppError("Forbidden", "permission denied");
  const record = isPlausibleId(tenant) ? await load(records, "tenant", tenant) : undefined;
  const grant = record?.spec.service_accounts?.find((each) => each.user === account);
  if (!grant) throw notFound(tenant);
  return { user, tenant, roles: [grant.role], isActedFor: true };
}
