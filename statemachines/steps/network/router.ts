import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { AtSite } from "../../../core/resources/site/at-site.ts";
import { ownerOf } from "../../../core/resources/site/owner.ts";
import { note, noteBegun, noteRemoval, siteOf, statusOf } from "../site/site.ts";

/** The router of a network, through which its subnets reach each other. */
export async function createRouter(target: AtSite, context: StepContext<AtSite>): Promise<void> {
  const here = await siteOf(target, context);
  if (!here?.networks) return;
  await noteBegun("router", "the router", target, context);
  const seen = await here.networks.ensureNetwork(ownerOf(target));
  await note("router", statusOf(seen, "the router"), context);
}

export async function removeRouter(target: AtSite, context: StepContext<AtSite>): Promise<void> {
  const here = await siteOf(target, context);
  if (!here?.networks) return;
  await noteRemoval("router", await here.networks.removeNetwork(ownerOf(target)), context);
}
