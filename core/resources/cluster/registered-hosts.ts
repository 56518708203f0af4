import type { References } from "../../kernel/request/references.ts";
import { type Fleet, shortageOf } from "../../placement/capacity/fleet.ts";
import { apartText, shortageText } from "../../placement/capacity/shortage-text.ts";
import type { Constraints } from "../../placement/hubs/candidate.ts";
import type { NodeSets } from "./model.ts";
import { nodeSetField } from "./node-sets.ts";

/** Refuses orders and changes for more hosts than are registered. */

interface Wish {
  nodeSets: NodeSets;
  /** The node sets before the change, since only growth is checked. */
  before?: NodeSets;
  where: Constraints;
  /** The registered hosts; called only if the check needs them. */
  fleet: Promise<Fleet>;
}

/** Refuses node sets that are larger than any hub. */
export async function refuseBeyondHosts(
  check: References,
  { nodeSets, before = {}, where, fleet }: Wish,
): Promise<void> {
  const [had, has] = [hostsWanted(before), hostsWanted(nodeSets)];
  const grown = new Map([...has].filter(([type, count]) => count > (had.get(type) ?? 0)));
  if (grown.size === 0) return;
  const shortage = await shortageOf(check.records, await fleet, where, grown);
  if (!shortage) return;
  if (shortage.size === 0) check.refuse("spec.node_sets", apartText(grown, where));
  for (const [type, lack] of shortage) {
    const sets = Object.entries(nodeSets).filter(([, set]) => set.host_type.name === type);
    const names = sets.flatMap(([name, { size }]) => (size > 0 ? [name] : []));
    const atLeast = had.get(type) ?? 0;
    const member = lack.most === 0 && atLeast === 0 ? "host_type" : "size";
    const message = shortageText(lack, {
      ...{ kind: `of type ${type}`, where, atLeast },
      ...(names.length > 1 && { sumOf: names.join(" and ") }),
    });
    for (const name of names) check.refuse(`${nodeSetField(name)}.${member}`, message);
  }
}

/** The total of hosts of each type that node sets demand. */
function hostsWanted(nodeSets: NodeSets): Map<string, number> {
  const wanted = new Map<string, number>();
  for (const { host_type, size } of Object.values(nodeSets))
    if (size > 0) wanted.set(host_type.name, (wanted.get(host_type.name) ?? 0) + size);
  return wanted;
}
