import type { Placed } from "../../../core/kernel/object/traits.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { heldHosts } from "../../../core/placement/release.ts";
import {
  type AtSite,
  floatingIpUses,
  type NetworkRecord,
  type SiteRecord,
} from "../../../core/resources/site/at-site.ts";
import type { SiteNetwork } from "../../../core/resources/site/model.ts";
import { networkPlan, refuseTooMany } from "../../../core/resources/site/network.ts";
import { donePart } from "../../../core/resources/site/parts.ts";
import { claim, note, noteRemoval, releaseWithPart, siteOf, statusOf } from "./site.ts";

const prefixes = (network: SiteNetwork) =>
  ({
    use: "prefixes",
    part: "layer3",
    count: 1,
    held: (site: SiteRecord) => (site.network ? [site.network.number] : []),
    hold: (site: SiteRecord, [number = 0]: number[]): SiteRecord => ({
      ...site,
      network: networkPlan(network, number, floatingIpUses),
    }),
    release: ({ network: _, ...site }: SiteRecord): SiteRecord => site,
  }) as const;

/**
 * Claims a prefix for the target: gateway and DHCP on its layer 2 network, and a way to the outside.
 * `refuse` throws where the target cannot have this network.
 */
export const createLayer3Network =
  <T extends AtSite & Placed>(refuse: (target: T, network: NetworkRecord) => void) =>
  async (target: T, context: StepContext<T>): Promise<void> => {
    const here = await siteOf(target, context);
    if (!here) return;
    const { network } = here.site.spec;
    if (!here.fabric || !network) return note("layer3", donePart, context);
    const held = await heldHosts(context.deps, target);
    const nics = held.flatMap(({ host }) => host.spec.nics).length;
    refuseTooMany(network, { nics, uses: floatingIpUses });
    const plan = (await claim(here, prefixes(network), context))?.network;
    if (!plan) return;
    refuse(target, plan);
    const seen = await here.fabric.ensureLayer3(here.networkOwner, layer3Of(plan));
    await note("layer3", statusOf(seen, "the gateway"), context);
  };

const layer3Of = ({ prefix, gateway, range, dns_servers }: NetworkRecord) => ({
  prefix,
  gateway,
  range,
  dnsServers: dns_servers,
});

export async function removeLayer3Network(
  target: AtSite,
  context: StepContext<AtSite>,
): Promise<void> {
  const here = await siteOf(target, context);
  if (!here) return;
  const { network } = here.site.spec;
  const removal =
    here.fabric && here.record.network
      ? await here.fabric.removeLayer3(here.networkOwner)
      : ({ state: "absent" } as const);
  if (removal.state === "absent" && network)
    await releaseWithPart(here, prefixes(network), context);
  await noteRemoval("layer3", removal, context);
}
