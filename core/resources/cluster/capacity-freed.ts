import { prefixNumberOf } from "../../at-site/at-site.ts";
import { type PoolUse, poolName } from "../../at-site/site.ts";
import type { RecheckDeps } from "../../kernel/saga/rechecks.ts";
import { onHostsMoved, onNumbersReleased } from "../../placement/reserve/capacity-freed.ts";
import { type Cluster, knownNodeSets } from "./model.ts";

/** Wakes the operations that wait for hosts, a slot or numbers that a write of a cluster has released. */
export async function onClusterChanged(
  deps: RecheckDeps,
  before: Cluster,
  after: Cluster,
): Promise<void> {
  await onNumbersReleased(deps, poolsReleased(before, after));
  const nodeSets = knownNodeSets(before);
  await onHostsMoved(deps, before, after, (set) => nodeSets[set]?.host_type.name);
}

/** The pools at its site to which the cluster has released numbers. */
function poolsReleased(before: Cluster, after: Cluster): string[] {
  const { site } = before;
  if (!site) return [];
  const held = ({ site }: Cluster): Record<PoolUse, unknown> => ({
    vlans: site?.vlan,
    prefixes: prefixNumberOf(site?.network),
    floating_ips: site?.floating_ips,
  });
  const [had, has] = [held(before), held(after)];
  const uses = Object.keys(had) as PoolUse[];
  return uses.flatMap((use) =>
    had[use] !== undefined && has[use] === undefined ? [poolName(site.id, use)] : [],
  );
}
