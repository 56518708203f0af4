import type { Site } from "../../../core/at-site/site.ts";
import { AppError } from "../../../core/error.ts";
import { mustLoad, type Records } from "../../../core/kernel/object/records.ts";

type Machines = NonNullable<Site["spec"]["machines"]>;

/**
 * A hub's site, with its settings for machines. Throws Rejected if the hub has no site or the site has no such
 * settings.
 */
export async function machinesAt(
  records: Records,
  { hub: id }: { hub: string },
): Promise<{ site: Site; machines: Machines }> {
  const hub = await mustLoad(records, "hub", id);
  if (hub.spec.site === undefined)
    throw new AppError("Rejected", `expected hub ${id} at a site with machines; it is at none`);
  const site = await mustLoad(records, "site", hub.spec.site);
  const { machines } = site.spec;
  if (!machines)
    throw new AppError("Rejected", `expected machines of site ${site.id}; it has none`);
  return { site, machines };
}

/** A site's setting that DPUs need. Throws Rejected if the site lacks it. */
export function needed<Member extends keyof Machines>(
  { site, machines }: { site: Site; machines: Machines },
  member: Member,
): NonNullable<Machines[Member]> {
  const value = machines[member];
  if (value === undefined || value === null)
    throw new AppError("Rejected", `expected machines.${member} of site ${site.id}; it has none`);
  return value;
}
