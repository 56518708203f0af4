import type { Deps } from "../../kernel/deps.ts";
import { type Fleet, shortageOf } from "../../placement/capacity/fleet.ts";
import { audiences } from "../../placement/capacity/hub-capacity.ts";
import { capacityByRegion } from "../../placement/capacity/region-capacity.ts";
import type { Constraints } from "../../placement/hubs/candidate.ts";
import { type allHostTypes, hostTypesFor } from "../bare-metal-instance-type/host-types.ts";
import type { BareMetalInstanceType } from "../bare-metal-instance-type/model.ts";
import type { HostType } from "../host-type/model.ts";

interface Wish {
  where: Constraints;
  /** Its subnets are overlay networks of DPUs, not networks of a site's fabric. */
  inOverlay: boolean;
  fleet: Promise<Fleet>;
  /** The search for all host types, if the caller has begun it. */
  hostTypes?: ReturnType<typeof allHostTypes>;
}

/**
 * Chooses the host type for an order among those that match the instance type and can be in its subnets: first
 * a type with hosts that are reserved for the tenant where the order may be placed, then the one with the most
 * free hosts there. If no type fits, answers what is lacking, in words.
 */
export async function hostTypeFor(
  deps: Pick<Deps, "store" | "kinds">,
  type: BareMetalInstanceType,
  { where, inOverlay, fleet, hostTypes }: Wish,
): Promise<{ hostType: string } | { lack: string }> {
  const { matching, without } = await hostTypesFor(deps, type, hostTypes);
  const fitting = matching.filter((each) => hasDpus(each) === inOverlay);
  const [only, ...others] = fitting;
  if (!only) return { lack: lackOf(matching, without) };
  if (others.length === 0) return { hostType: only.id };
  const there = await withHosts(deps, fitting, where, fleet);
  const regions = await capacityByRegion(deps.store, [audiences.everybody, where.tenant]);
  const here = regions.filter(({ region }) => [undefined, region].includes(where.region));
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

const hasDpus = ({ spec: { hardware } }: HostType): boolean => (hardware?.dpus ?? 0) > 0;

function lackOf([unfit]: HostType[], [unbootable]: HostType[]): string {
  if (unfit && hasDpus(unfit))
    return "has such hardware only in hosts with DPUs, which need subnets of an overlay; these are of a fabric";
  if (unfit)
    return "has such hardware only in hosts without DPUs, which need subnets of a fabric; these are of an overlay";
  if (unbootable)
    return "has such hardware only in hosts whose service cannot boot an image from a URL";
  return "has no hosts of such hardware";
}
