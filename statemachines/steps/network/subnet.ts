import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { OwnedSubnet } from "../../../core/ports/network/network.ts";
import { ownerOf } from "../../../core/resources/site/owner.ts";
import { plansOf } from "../../../core/resources/subnet/addresses.ts";
import type { Subnet } from "../../../core/resources/subnet/model.ts";
import { note, noteBegun, noteRemoval, siteOf, statusOf } from "../site/site.ts";

/** Gives a subnet its prefixes, and connects it to the router of its network. */
export async function connectSubnet(subnet: Subnet, context: StepContext<Subnet>): Promise<void> {
  const here = await siteOf(subnet, context);
  if (!here?.fabric) return;
  await noteBegun("subnet", "the gateway", subnet, context);
  const seen = await here.fabric.networks.ensureSubnet(await ownedSubnet(subnet, context), {
    prefixes: plansOf(subnet.spec),
    dnsServers: here.site.spec.network?.dns_servers ?? [],
  });
  await note("subnet", statusOf(seen, "the gateway"), context);
}

export async function disconnectSubnet(
  subnet: Subnet,
  context: StepContext<Subnet>,
): Promise<void> {
  const here = await siteOf(subnet, context);
  if (!here?.fabric) return;
  const removal = await here.fabric.networks.removeSubnet(await ownedSubnet(subnet, context));
  await noteRemoval("subnet", removal, context);
}

async function ownedSubnet(
  subnet: Subnet,
  { deps }: Pick<StepContext<Subnet>, "deps">,
): Promise<OwnedSubnet> {
  const network = await mustLoad(deps, "virtual_network", subnet.spec.virtual_network.id);
  return { ...ownerOf(subnet), network: ownerOf(network) };
}
