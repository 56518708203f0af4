import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { ownerOf } from "../../../core/resources/site/owner.ts";
import type { VirtualNetwork } from "../../../core/resources/virtual-network/model.ts";
import { note, noteBegun, noteRemoval, siteOf, statusOf } from "../site/site.ts";
import { spreadToEnds, withdrawFromEnds } from "./spread.ts";

/** The router of a network, through which its subnets reach each other; in an overlay the ends do that. */
export async function createRouter(
  target: VirtualNetwork,
  context: StepContext<VirtualNetwork>,
): Promise<void> {
  if (target.spread) return spreadToEnds(context);
  const here = await siteOf(target, context);
  if (!here?.networks) return;
  await noteBegun("router", "the router", target, context);
  const seen = await here.networks.ensureNetwork(ownerOf(target));
  await note("router", statusOf(seen, "the router"), context);
}

export async function removeRouter(
  target: VirtualNetwork,
  context: StepContext<VirtualNetwork>,
): Promise<void> {
  if (target.spread) return withdrawFromEnds(context);
  const here = await siteOf(target, context);
  if (!here?.networks) return;
  await noteRemoval("router", await here.networks.removeNetwork(ownerOf(target)), context);
}
