import type { Deps } from "../../kernel/deps.ts";
import { onHostsReleased, onNumbersReleased } from "../../placement/capacity-freed.ts";
import { type PoolUse, poolName } from "../site/model.ts";
import { type Cluster, knownNodeSets } from "./model.ts";

/** Wakes those who wait for the hosts, the slot and the numbers that a cluster has given back with a write. */
export async function onClusterChanged(deps: Deps, before: Cluster, after: Cluster): Promise<void> {
  await onNumbersReleased(deps, poolsReleased(before, after));
  const nodeSets = knownNodeSets(before);
  await onHostsReleased(deps, before, after, (set) => nodeSets[set]?.host_type.name);
}

/** The pools of its site of which it had numbers and has none any more. */
function poolsReleased(before: Cluster, after: Cluster): string[] {
  const { site } = before;
  if (!site) return [];
  const held = ({ site }: Cluster): Record<PoolUse, unknown> => ({
    vlans: site?.vlan,
    prefixes: site?.network,
    floating_ips: site?.floating_ips,
  });
  const [had, has] = [held(before), held(after)];
  const uses = Object.keys(had) as PoolUse[];
  return uses.flatMap((use) =>
    had[use] !== undefined && has[use] === undefined ? [poolName(site.id, use)] : [],
  );
}
