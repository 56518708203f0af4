import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { forgetPool } from "../../../core/ports/ipam/own/forget-pool.ts";
import { plansOf } from "../../../core/resources/subnet/addresses.ts";
import { addressPoolName } from "../../../core/resources/subnet/members.ts";
import type { Subnet } from "../../../core/resources/subnet/model.ts";
import { ownedSubnet } from "../../../core/resources/subnet/owner.ts";
import { note, noteBegun, noteRemoval, siteOf, statusOf } from "../site/site.ts";
import { spreadToEnds, withdrawFromEnds } from "./spread.ts";

/** Gives a subnet its prefixes, and connects it to the router of its network; in an overlay the ends do that. */
export async function connectSubnet(subnet: Subnet, context: StepContext<Subnet>): Promise<void> {
  if (subnet.spread) return spreadToEnds(context);
  const here = await siteOf(subnet, context);
  if (!here?.networks) return;
  await noteBegun("subnet", "the gateway", subnet, context);
  const seen = await here.networks.ensureSubnet(ownedSubnet(subnet), {
    prefixes: plansOf(subnet.spec),
    dnsServers: here.site.spec.network?.dns_servers ?? [],
  });
  await note("subnet", statusOf(seen, "the gateway"), context);
}

/** Takes a subnet's prefixes away, and forgets the addresses that its members had. */
export async function disconnectSubnet(
  subnet: Subnet,
  context: StepContext<Subnet>,
): Promise<void> {
  if (subnet.spread) return withdrawFromEnds(context);
  const here = await siteOf(subnet, context);
  if (!here?.networks) return;
  const removal = await here.networks.removeSubnet(ownedSubnet(subnet));
  if (removal.state === "absent") await forgetPool(context.deps.store, addressPoolName(subnet.id));
  await noteRemoval("subnet", removal, context);
}
