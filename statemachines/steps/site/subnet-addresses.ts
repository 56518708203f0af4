import type { AtSite, SitedKind } from "../../../core/at-site/at-site.ts";
import { AppError } from "../../../core/error.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { NumberPool, Usage } from "../../../core/ports/ipam/ipam.ts";
import { ownIpam } from "../../../core/ports/ipam/own/own.ts";
import { type Members, memberHolder } from "../../../core/resources/subnet/members.ts";
import type { Subnet } from "../../../core/resources/subnet/model.ts";

/** Claims and releases of addresses in a tenant's subnet, for any kind with members there. */

/** How many addresses one transaction claims or releases: an address that rested or is to rest takes two writes. */
export const addressesAtOnce = 45;

/** A subnet with its pool of addresses. */
export interface Within {
  subnet: Subnet;
  pool: NumberPool;
}

/**
 * Claims an object's missing addresses of these names, and answers the object with them. Throws Rejected when
 * the tenant's subnet has too few free addresses: other members might never release any, while hosts are held.
 */
export async function claimMissing<K extends SitedKind>(
  members: Members<K>,
  object: AtSite,
  { subnet, pool }: Within,
  wanted: readonly string[],
  context: StepContext<AtSite>,
): Promise<AtSite> {
  let latest = object;
  for (;;) {
    const known = members.known(latest);
    const lacking = wanted.filter((name) => known[name] === undefined);
    if (lacking.length === 0) return latest;
    const names = lacking.slice(0, addressesAtOnce);
    const claim = await ownIpam(context.deps).claim(pool, memberHolder(members, names), {
      count: names.length,
      fence: context.fence(),
    });
    if ("short" in claim)
      throw new AppError("Rejected", refusal(subnet, claim.short, lacking.length));
    latest = await context.latest();
  }
}

function refusal(
  { metadata, spec }: Subnet,
  { used, resting, size }: Usage,
  count: number,
): string {
  const rest = resting > 0 ? `, and ${resting} rest after their last use` : "";
  const free = Math.max(0, size - used - resting);
  return `subnet '${metadata.name}' (${spec.ipv4_cidr}) has ${free} of ${size} addresses free${rest}; ${count} are needed`;
}

/** Releases the addresses of these names. */
export async function releaseNames<K extends SitedKind>(
  members: Members<K>,
  { pool }: Pick<Within, "pool">,
  names: readonly string[],
  { deps, fence }: StepContext<AtSite>,
): Promise<void> {
  for (let at = 0; at < names.length; at += addressesAtOnce) {
    const some = memberHolder(members, names.slice(at, at + addressesAtOnce));
    await ownIpam(deps).release(pool, some, { fence: fence() });
  }
}
