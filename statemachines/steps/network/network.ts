import type { SitePart } from "../../../core/at-site/at-site.ts";
import { ownerOf } from "../../../core/at-site/owner.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { VirtualNetwork } from "../../../core/resources/virtual-network/model.ts";
import { prefixMembers } from "../../../core/resources/virtual-network/prefixes.ts";
import { note, noteBegun, noteRemoval, siteStatusOf } from "../site/site.ts";
import { networksOf } from "./networks.ts";
import { spreadToEnds, withdrawFromEnds } from "./spread.ts";

/**
 * Creates the part that connects a network's subnets: a router or a namespace. In an overlay the
 * DPUs connect them. `what` names the part.
 */
export const makeNetwork =
  (part: SitePart, what: string) =>
  async (target: VirtualNetwork, context: StepContext<VirtualNetwork>): Promise<void> => {
    if (target.spread) return spreadToEnds(target.id, target, context);
    const networks = await networksOf(target, context);
    if (!networks) return;
    await noteBegun(part, what, target, context);
    const prefixes = prefixMembers.flatMap((member) => target.spec[member] ?? []);
    await note(
      part,
      siteStatusOf(await networks.ensureNetwork(ownerOf(target), prefixes), what),
      context,
    );
  };

export const removeNetwork =
  (part: SitePart) =>
  async (target: VirtualNetwork, context: StepContext<VirtualNetwork>): Promise<void> => {
    if (target.spread) return withdrawFromEnds(target.id, target, context);
    const networks = await networksOf(target, context);
    if (!networks) return;
    await noteRemoval(part, await networks.removeNetwork(ownerOf(target)), context);
  };
