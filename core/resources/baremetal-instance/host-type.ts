import type { Deps } from "../../kernel/deps.ts";
import { capacityByRegion } from "../../placement/region-capacity.ts";
import { audiences } from "../../placement/share.ts";
import { hostTypesFor } from "../bare-metal-instance-type/host-types.ts";
import type { BareMetalInstanceType } from "../bare-metal-instance-type/model.ts";

/**
 * The host type that is to serve an order of this instance type: of those that match, the one with the most free hosts
 * where the order may be placed. Undefined where none matches.
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
  const free = (id: string) => here.reduce((sum, { hosts }) => sum + (hosts.get(id)?.free ?? 0), 0);
  const [first] = matching.toSorted((a, b) => free(b.id) - free(a.id) || (a.id < b.id ? -1 : 1));
  return first?.id;
}
