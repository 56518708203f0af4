import type { Deps } from "../../kernel/deps.ts";
import { capacityByRegion } from "../../placement/region-capacity.ts";
import { audiences } from "../../placement/share.ts";
import { hostTypesFor } from "../bare-metal-instance-type/host-types.ts";
import type { BareMetalInstanceType } from "../bare-metal-instance-type/model.ts";

/**
 * The host type that is to serve an order of this instance type: of those that match, one whose hosts are kept for
 * the tenant where the order may be placed, or else the one with the most free hosts there. Undefined where none matches.
 */
export async function hostTypeFor(
  deps: Pick<Deps, "store" | "kinds">,
  type: BareMetalInstanceType,
  { tenant, region }: { tenant: string; region: string | undefined },
): Promise<string | undefined> {
  const matching = await hostTypesFor(deps, type);
  if (matching.length <= 1) return matching[0]?.id;
  const regions = await capacityByRegion(deps.store, [audiences.everybody, tenant]);
  const here = regions.filter((each) => region === undefined || each.region === region);
  const sum = (id: string, of: "own" | "free") =>
    here.reduce((all, { hosts }) => all + (hosts.get(id)?.[of] ?? 0), 0);
  const isKept = (id: string) => Number(sum(id, "own") > 0);
  const [first] = matching.toSorted(
    (a, b) =>
      isKept(b.id) - isKept(a.id) ||
      sum(b.id, "free") - sum(a.id, "free") ||
      (a.id < b.id ? -1 : 1),
  );
  return first?.id;
}
