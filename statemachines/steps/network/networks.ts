import type { AtSite } from "../../../core/at-site/at-site.ts";
import type { Context } from "../../../core/kernel/saga/context.ts";
import type { Networks } from "../../../core/ports/network/network.ts";

/** Who makes a target's network real, at its site or on its hub; undefined where there are the records alone. */
export async function networksOf(
  { site, hub }: Pick<AtSite, "site" | "hub">,
  { deps }: Context,
): Promise<Networks | undefined> {
  if (hub) return (await deps.hubs.client(hub.id)).networks;
  return site && (await deps.sites.systems(site.id)).networks;
}
