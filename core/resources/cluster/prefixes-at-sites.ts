import {
  firstSites,
  type InTheWay,
  insideMembers,
  inTheWayAt,
  type Surveyed,
  surveyed,
} from "../../at-site/inside-clusters.ts";
import type { Site } from "../../at-site/site.ts";
import type { Violation } from "../../error.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import { type Constraints, mismatch } from "../../placement/hubs/candidate.ts";
import { defaultPrefixes } from "../cluster-template/prefixes.ts";
import { hubsAt } from "../hub/at-site.ts";
import type { ClusterSpec } from "./model.ts";

/** Checks the prefixes of a cluster, its own or the defaults, at each site where it may be placed. */

interface Ordered {
  network: ClusterSpec["network"];
  isInSubnet: boolean;
}

/**
 * Adds a violation for each prefix that overlaps one of a site where the cluster may be placed. `first`: the
 * first sites, if the caller has begun the search for them.
 */
export async function refuseAtSites(
  records: Records,
  { network, isInSubnet }: Ordered,
  where: Constraints,
  violations: Violation[],
  first = firstSites(records),
): Promise<void> {
  const sites = await sitesFor(records, where.site, first);
  const inEach = await Promise.all(
    sites.map(async (each) => {
      const inTheWay = inTheWayAt(each, insideOf(network), { isInSubnet });
      return inTheWay.length > 0 && (await mayBeAt(records, each.site, where)) ? inTheWay : [];
    }),
  );
  const all = inEach.flat();
  for (const member of insideMembers) {
    const found = all.find((each) => each.member === member);
    if (found) violations.push(violationOf(found, network));
  }
}

/** The conflicts of a cluster's prefixes with its site. */
export const faultsAt = async (
  records: Records,
  site: Site,
  { network, isInSubnet }: Ordered,
): Promise<Violation[]> =>
  inTheWayAt(await surveyed(records, site), insideOf(network), { isInSubnet }).map((each) =>
    violationOf(each, network),
  );

const insideOf = (network: ClusterSpec["network"]) => ({ ...defaultPrefixes, ...network });

function violationOf({ member, text }: InTheWay, network: ClusterSpec["network"]): Violation {
  const kept = `${text}, which the provider reserves for itself at a site where the cluster may be placed`;
  return {
    field: `spec.network.${member}`,
    message:
      network[member] === undefined
        ? `${defaultPrefixes[member]}, the default of ${member}, overlaps ${kept}: name another ${member}`
        : `must not overlap ${kept}`,
  };
}

async function sitesFor(
  records: Records,
  named: string | undefined,
  first: Promise<Surveyed[]>,
): Promise<Surveyed[]> {
  const sites = await first;
  if (named === undefined) return sites;
  const known = sites.find(({ site }) => site.id === named);
  if (known) return [known];
  const site = await load(records, "site", named);
  return site ? [await surveyed(records, site)] : [];
}

const mayBeAt = async (records: Records, { id }: Site, where: Constraints): Promise<boolean> =>
  where.site === id ||
  (await hubsAt(records, id)).some((hub) => mismatch(hub, where) === undefined);
