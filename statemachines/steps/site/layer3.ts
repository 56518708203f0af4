import {
  type AtSite,
  floatingIpUses,
  type NetworkRecord,
  type OwnNetwork,
  prefixNumberOf,
  type SiteRecord,
} from "../../../core/at-site/at-site.ts";
import { networkPlan, refuseTooMany } from "../../../core/at-site/network.ts";
import { subnetOf, subnetPlanOf } from "../../../core/at-site/owner.ts";
import { donePart } from "../../../core/at-site/parts.ts";
import type { SiteNetwork } from "../../../core/at-site/site.ts";
import type { Placed } from "../../../core/kernel/object/traits.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { heldHosts } from "../../../core/placement/reserve/release.ts";
import { Taken } from "../../../core/ports/taken.ts";
import { claimFirst, releaseAddresses } from "./members.ts";
import {
  claim,
  note,
  noteRemoval,
  releaseSiteNumbers,
  releaseWithPart,
  type SiteContext,
  siteOf,
  siteStatusOf,
} from "./site.ts";

const prefixes = (network: SiteNetwork) =>
  ({
    use: "prefixes",
    part: "layer3",
    count: 1,
    held({ network: own }: SiteRecord) {
      const number = prefixNumberOf(own);
      return number === undefined ? [] : [number];
    },
    hold: (site: SiteRecord, [number = 0]: number[]): SiteRecord => ({
      ...site,
      network: networkPlan(network, number, floatingIpUses),
    }),
    release: ({ network: _, ...site }: SiteRecord): SiteRecord => site,
  }) as const;

/**
 * Claims a prefix for the target, with gateway, DHCP and a way to the outside on its layer 2 network; in a tenant's
 * subnet claims its addresses instead. A site's own DHCP server serves the prefix once the fabric has it. `refuse`
 * throws where the target cannot have this network.
 */
export const createLayer3Network =
  <T extends AtSite & Placed>(refuse: (target: T, network: NetworkRecord) => void) =>
  async (target: T, context: StepContext<T>): Promise<void> => {
    const here = await siteOf(target, context);
    if (!here) return;
    const { network } = here.site.spec;
    if (!here.fabric || !network) return note("layer3", donePart, context);
    const held = await heldHosts(context.deps, target);
    if (target.stands_in) {
      const hosts = held.map(({ host }) => host);
      const shared = await claimFirst(here, hosts, context);
      if (shared) refuse(target, shared);
      return note("layer3", donePart, context);
    }
    const nics = held.flatMap(({ host }) => host.spec.nics).length;
    refuseTooMany(network, { nics, uses: floatingIpUses });
    const plan = (await claim(here, prefixes(network), context))?.network;
    if (!plan || !("number" in plan)) return;
    refuse(target, plan);
    const seen = await here.fabric.ensureLayer3(here.networkOwner, layer3Of(plan, here));
    if (seen.state === "done" && !(await isServed(here, plan, context))) return;
    await note("layer3", siteStatusOf(seen, "the gateway"), context);
  };

const layer3Of = (
  { prefix, gateway, range, dns_servers }: OwnNetwork,
  { dhcp }: Pick<SiteContext, "dhcp">,
) => ({ prefix, gateway, range, dnsServers: dns_servers, hasDhcp: dhcp === undefined });

/**
 * Makes the DHCP server serve the prefix. If others use the prefix there, the fabric's part is removed before
 * the number is released, and the next check claims another.
 */
async function isServed(
  here: SiteContext,
  plan: OwnNetwork,
  context: StepContext<AtSite>,
): Promise<boolean> {
  const { target, dhcp, fabric, networkOwner } = here;
  try {
    await dhcp?.ensure(subnetOf(target, plan), subnetPlanOf(plan));
    return true;
  } catch (error) {
    if (!(error instanceof Taken)) throw error;
    const message = `${error.message}; another prefix is claimed`;
    await note("layer3", { state: "pending", message }, context);
    const removal = await fabric?.removeLayer3(networkOwner);
    const { network } = here.site.spec;
    if (removal?.state === "absent" && network)
      await releaseSiteNumbers(here, prefixes(network), context, [plan.number]);
    return false;
  }
}

export async function removeLayer3Network(
  target: AtSite,
  context: StepContext<AtSite>,
): Promise<void> {
  const here = await siteOf(target, context);
  if (!here) return;
  if (target.stands_in) {
    await releaseAddresses(here, context);
    return note("layer3", "gone", context);
  }
  const { network } = here.site.spec;
  if (here.record.network) await here.dhcp?.remove(subnetOf(target, here.record.network));
  const removal =
    here.fabric && here.record.network
      ? await here.fabric.removeLayer3(here.networkOwner)
      : ({ state: "absent" } as const);
  if (removal.state === "absent" && network)
    await releaseWithPart(here, prefixes(network), context);
  await noteRemoval("layer3", removal, context);
}
