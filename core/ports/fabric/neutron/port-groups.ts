import type { ObjectState } from "../fabric.ts";
import type { NeutronApi } from "./api.ts";
import { isPortOf } from "./names.ts";
import type { Port } from "./objects.ts";
import type { OwnedInNeutron } from "./owned.ts";

/**
 * The security groups of ports that stand in somebody else's segment: those of hosts, and those that only hold an
 * address, which counts among the members of a group too. A port that is changed stays bound.
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
