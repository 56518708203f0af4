import type { AtSite } from "../../../core/at-site/at-site.ts";
import type { Context, StepDeps } from "../../../core/kernel/saga/context.ts";
import type { Networks } from "../../../core/ports/network/network.ts";

/** The system that creates a target's network, at its site or on its hub; undefined where only the records exist. */
export async function networksOf(
  { site, hub }: Pick<AtSite, "site" | "hub">,
  { deps }: Context<StepDeps>,
): Promise<Networks | undefined> {
  if (hub) return (await deps.hubs.client(hub.id)).networks;
  return site && (await deps.sites.systems(site.id)).networks;
}
