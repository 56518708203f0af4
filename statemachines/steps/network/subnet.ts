import type { Context, StepContext, StepDeps } from "../../../core/kernel/saga/context.ts";
import { forgetPool } from "../../../core/ports/ipam/own/forget-pool.ts";
import { plansOf } from "../../../core/resources/subnet/addresses.ts";
import { subnetPoolName } from "../../../core/resources/subnet/members.ts";
import type { Subnet } from "../../../core/resources/subnet/model.ts";
import { ownedSubnet } from "../../../core/resources/subnet/owner.ts";
import { note, noteBegun, noteRemoval, siteStatusOf } from "../site/site.ts";
import { networksOf } from "./networks.ts";
import { spreadToEnds, withdrawFromEnds } from "./spread.ts";

/**
 * Gives a subnet its prefixes and connects it to its network; in an overlay its ends do that. `what`: what the step
 * waits for, in words.
 */
export const connectSubnet =
  (what: string) =>
  async (subnet: Subnet, context: StepContext<Subnet>): Promise<void> => {
    if (subnet.spread) return spreadToEnds(subnet.spec.virtual_network.id, subnet, context);
    const networks = await networksOf(subnet, context);
    if (!networks) return;
    await noteBegun("subnet", what, subnet, context);
    const seen = await networks.ensureSubnet(ownedSubnet(subnet), {
      prefixes: plansOf(subnet.spec),
      dnsServers: await dnsServersFor(subnet, context),
    });
    await note("subnet", siteStatusOf(seen, what), context);
  };

async function dnsServersFor({ site }: Subnet, { deps }: Context<StepDeps>): Promise<string[]> {
  const systems = site && (await deps.sites.systems(site.id));
  return systems?.site.spec.network?.dns_servers ?? [];
}

/** Removes a subnet's prefixes, and its members' addresses from the record. */
export async function disconnectSubnet(
  subnet: Subnet,
  context: StepContext<Subnet>,
): Promise<void> {
  const forget = () => forgetPool(context.deps.store, subnetPoolName(subnet.id));
  if (subnet.spread) {
    await forget();
    return withdrawFromEnds(subnet.spec.virtual_network.id, subnet, context);
  }
  const networks = await networksOf(subnet, context);
  if (!networks) return;
  const removal = await networks.removeSubnet(ownedSubnet(subnet));
  if (removal.state === "absent") await forget();
  await noteRemoval("subnet", removal, context);
}
