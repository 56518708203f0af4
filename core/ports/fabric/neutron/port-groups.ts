import type { ObjectState } from "../fabric.ts";
import type { NeutronApi } from "./api.ts";
import { isPortOf } from "./names.ts";
import type { Port } from "./objects.ts";
import type { OwnedInNeutron } from "./owned.ts";

/**
 * Sets the security groups of an owner's ports in another owner's segment, including ports that only reserve
 * an address, because that address counts as a member's too. A changed port stays bound.
 */
export async function ensureGroups(api: NeutronApi, ours: OwnedInNeutron): Promise<ObjectState> {
  const { security_groups: wanted = [] } = await ours.security([]);
  const segments = await ours.segments();
  const found = await Promise.all(segments.map(({ id }) => ours.portsOn({ network_id: id })));
  const ports = found.flat().filter(({ name }) => isPortOf(ours.owned, name));
  const others = ports.filter((port) => !hasExactly(port, wanted));
  if (others.length === 0) return { state: "done" };
  for (const { id } of others) await api.update("ports", id, { security_groups: wanted });
  const message = `${others.length} of ${ports.length} ports to show their security groups`;
  return { state: "pending", message };
}

const hasExactly = ({ security_groups: has }: Port, wanted: readonly string[]): boolean =>
  new Set(has).symmetricDifference(new Set(wanted)).size === 0;
