import type { Deps } from "../../kernel/deps.ts";
import { capacityByRegion } from "../../placement/region-capacity.ts";
import { audiences } from "../../placement/share.ts";
import { hostTypesFor } from "../bare-metal-instance-type/host-types.ts";
import type { BareMetalInstanceType } from "../bare-metal-instance-type/model.ts";
import type { HostType } from "../host-type/model.ts";

interface Where {
  tenant: string;
  region: string | undefined;
  /** Its subnets are made by DPUs, and not by the fabric of a site. */
  inOverlay: boolean;
}

/**
 * The host type that is to serve an order of this instance type: of those that match, and whose hosts can stand in its
 * subnets, one whose hosts are kept for the tenant where the order may be placed, or else the one with the most free hosts
 * there. What is lacking, in words, where there is none.
 */
export async function hostTypeFor(
  deps: Pick<Deps, "store" | "kinds">,
  type: BareMetalInstanceType,
  { tenant, region, inOverlay }: Where,
): Promise<{ hostType: string } | { lack: string }> {
  const { matching, without } = await hostTypesFor(deps, type);
  const fitting = matching.filter((each) => hasDpus(each) === inOverlay);
  const [only, ...others] = fitting;
  if (!only) return { lack: lackOf(matching, without) };
  if (others.length === 0) return { hostType: only.id };
  const regions = await capacityByRegion(deps.store, [audiences.everybody, tenant]);
  const here = regions.filter((each) => region === undefined || each.region === region);
  const sum = (id: string, of: "own" | "free") =>
    here.reduce((all, { hosts }) => all + (hosts.get(id)?.[of] ?? 0), 0);
  const isKept = (id: string) => Number(sum(id, "own") > 0);
  const [best = only] = fitting.toSorted(
    (a, b) =>
      isKept(b.id) - isKept(a.id) ||
      sum(b.id, "free") - sum(a.id, "free") ||
      (a.id < b.id ? -1 : 1),
  );
  return { hostType: best.id };
}

const hasDpus = ({ spec: { hardware } }: HostType): boolean => (hardware?.dpus ?? 0) > 0;

function lackOf([unfit]: HostType[], [unbootable]: HostType[]): string {
  if (unfit && hasDpus(unfit))
    return "has hosts of such hardware with DPUs alone, and the subnets are made by a fabric: subnets of an overlay are for them";
  if (unfit)
    return "has hosts of such hardware without DPUs alone, and the subnets are of an overlay, which DPUs make";
  if (unbootable)
    return "has hosts of such hardware that boot no image from a URL: a service switches them that cannot";
  return "has no hosts of such hardware";
}
