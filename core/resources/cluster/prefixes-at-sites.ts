import type { Violation } from "../../error.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import { type Constraints, mismatch } from "../../placement/choose.ts";
import { hubsAt } from "../hub/at-site.ts";
import { firstSites, type InTheWay, insideMembers, inTheWayAt } from "../site/inside-clusters.ts";
import type { Site } from "../site/model.ts";
import type { ClusterSpec } from "./model.ts";

/** The named prefixes of a cluster at the sites at which it may be. */

interface Ordered {
  network: ClusterSpec["network"];
  isInSubnet: boolean;
}

/** Adds a violation for each prefix that a site has something of at which the cluster may be placed. */
export async function refuseAtSites(
  records: Records,
  { network, isInSubnet }: Ordered,
  where: Constraints,
  violations: Violation[],
): Promise<void> {
  if (insideMembers.every((member) => network[member] === undefined)) return;
  const sites = await sitesFor(records, where.site);
  const found = await Promise.all(
    sites.map(async (site) => {
      const inTheWay = await inTheWayAt(records, site, network, { isInSubnet });
      return inTheWay.length > 0 && (await mayBeAt(records, site, where)) ? inTheWay : [];
    }),
  );
  const all = found.flat();
  for (const member of insideMembers) {
    const first = all.find((each) => each.member === member);
    if (first) violations.push(violationOf(first));
  }
}

/** What is wrong with the named prefixes of a cluster at its site. */
export const faultsAt = async (
  records: Records,
  site: Site,
  { network, isInSubnet }: Ordered,
): Promise<Violation[]> =>
  (await inTheWayAt(records, site, network, { isInSubnet })).map(violationOf);

const violationOf = ({ member, text }: InTheWay): Violation => ({
  field: `spec.network.${member}`,
  message: `must not overlap ${text}, which the provider keeps for itself where the cluster may be placed`,
});

async function sitesFor(records: Records, named: string | undefined): Promise<Site[]> {
  if (named === undefined) return firstSites(records);
  const site = await load(records, "site", named);
  return site ? [site] : [];
}

const mayBeAt = async (records: Records, { id }: Site, where: Constraints): Promise<boolean> =>
  where.site === id ||
  (await hubsAt(records, id)).some((hub) => mismatch(hub, where) === undefined);
