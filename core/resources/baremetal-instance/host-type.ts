import type { Deps } from "../../kernel/deps.ts";
import { begun } from "../../kernel/request/begun.ts";
import { type Fleet, fleetFor, shortageOf } from "../../placement/capacity/fleet.ts";
import { audiences } from "../../placement/capacity/hub-capacity.ts";
import { capacityByRegion, type RegionCapacity } from "../../placement/capacity/region-capacity.ts";
import type { Constraints } from "../../placement/hubs/candidate.ts";
import { allHostTypes, hostTypesFor } from "../bare-metal-instance-type/host-types.ts";
import { areRivals, hasDpus } from "../bare-metal-instance-type/match.ts";
import type { BareMetalInstanceType } from "../bare-metal-instance-type/model.ts";
import type { HostType } from "../host-type/model.ts";

/** What a tenant's choice of a host type reads, whatever the instance type: so it can begin before that is known. */
export interface HostTypeSearch {
  fleet: Promise<Fleet>;
  hostTypes: Promise<HostType[]>;
  /** The capacity to choose by; none where no two host types are rivals. */
  capacity: Promise<readonly RegionCapacity[]>;
}

interface Wish extends HostTypeSearch {
  where: Constraints;
  /** Its subnets are overlay networks of DPUs, not networks of a site's fabric. */
  inOverlay: boolean;
}

/** Begins to read what the choice of a host type needs. */
export function searchHostTypes(
  deps: Pick<Deps, "store" | "kinds">,
  tenant: string,
): HostTypeSearch {
  const fleet = begun(fleetFor(deps, tenant));
  const hostTypes = begun(allHostTypes(deps));
  const capacity = begun(
    Promise.all([fleet, hostTypes]).then(([known, all]) => {
      if ("open" in known) return known.open;
      const isChoice = all.some((type, n) =>
        all.slice(n + 1).some((each) => areRivals(type, each)),
      );
      return isChoice ? capacityByRegion(deps.store, [audiences.everybody, tenant]) : [];
    }),
  );
  return { fleet, hostTypes, capacity };
}

/**
 * Chooses the host type for an order among those that match the instance type and can be in its subnets: first
 * a type with hosts that are reserved for the tenant where the order may be placed, then the one with the most
 * free hosts there. If no type fits, answers what is lacking, in words.
 */
export async function hostTypeFor(
  deps: Pick<Deps, "store" | "kinds">,
  type: BareMetalInstanceType,
  { where, inOverlay, fleet, hostTypes, capacity }: Wish,
): Promise<{ hostType: string } | { lack: string }> {
  const { matching, without } = hostTypesFor(await hostTypes, type);
  const fitting = matching.filter((each) => hasDpus(each) === inOverlay);
  const [only, ...others] = fitting;
  if (!only) return { lack: lackOf(matching, without) };
  if (others.length === 0) return { hostType: only.id };
  const there = await withHosts(deps, fitting, where, fleet);
  const here = (await capacity).filter(({ region }) => [undefined, region].includes(where.region));
  const sum = (id: string, of: "own" | "free") =>
    here.reduce((all, { hosts }) => all + (hosts.get(id)?.[of] ?? 0), 0);
  const isKept = (id: string) => Number(sum(id, "own") > 0);
  const [best = only] = there.toSorted(
    (a, b) =>
      isKept(b.id) - isKept(a.id) ||
      sum(b.id, "free") - sum(a.id, "free") ||
      (a.id < b.id ? -1 : 1),
  );
  return { hostType: best.id };
}

/** The types that have hosts for the order; if none has, those with hosts in another region; otherwise all. */
async function withHosts(
  deps: Pick<Deps, "store" | "kinds">,
  types: HostType[],
  where: Constraints,
  fleet: Promise<Fleet>,
): Promise<HostType[]> {
  const known = await fleet;
  const found = await Promise.all(
    types.map(async (type) => {
      const shortage = await shortageOf(deps, known, where, new Map([[type.id, 1]]));
      return { type, lack: shortage?.get(type.id) };
    }),
  );
  const here = found.filter(({ lack }) => !lack);
  const elsewhere = found.filter(({ lack }) => lack && lack.elsewhere.length > 0);
  const best = [here, elsewhere, found].find(({ length }) => length > 0) ?? found;
  return best.map(({ type }) => type);
}

function lackOf([unfit]: HostType[], [unbootable]: HostType[]): string {
  if (unfit && hasDpus(unfit))
    return "has such hardware only in hosts with DPUs, which need subnets of an overlay; these are of a fabric";
  if (unfit)
    return "has such hardware only in hosts without DPUs, which need subnets of a fabric; these are of an overlay";
  if (unbootable)
    return "has such hardware only in hosts whose service cannot boot an image from a URL";
  return "has no hosts of such hardware";
}
