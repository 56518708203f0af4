import {
  type AtSite,
  floatingIpUses,
  type NetworkRecord,
  type SiteRecord,
} from "../../../core/at-site/at-site.ts";
import { linksOf } from "../../../core/at-site/owner.ts";
import { withPart } from "../../../core/at-site/parts.ts";
import { minutes } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { asHostId } from "../../../core/id.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Placed } from "../../../core/kernel/object/traits.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { Host } from "../../../core/placement/pool/host.ts";
import { ownIpam } from "../../../core/ports/ipam/own/own.ts";
import { overlap } from "../../../core/prefix.ts";
import { plansOf } from "../../../core/resources/subnet/addresses.ts";
import {
  addressesIn,
  addressPool,
  inSharedNetwork,
  isNicOf,
  memberHolder,
  nicName,
} from "../../../core/resources/subnet/members.ts";
import { pinApi, unpinApi } from "./pinned.ts";
import type { SiteContext } from "./site.ts";
import { addressesAtOnce, claimMissing, releaseNames, type Within } from "./subnet-addresses.ts";

/** The addresses of a target in a tenant's subnet: one for each use, and one for each NIC of its hosts. */

interface Standing extends Within {
  plan: Pick<NetworkRecord, "prefix" | "gateway" | "dns_servers">;
}

async function standingOf(
  { target, site }: SiteContext,
  { deps }: StepContext<AtSite>,
): Promise<Standing | undefined> {
  const { stands_in: standing } = target;
  const { network } = site.spec;
  if (!standing || !network) return undefined;
  const subnet = await mustLoad(deps, "subnet", standing.subnet);
  const pool = addressPool(subnet, minutes(network.rest_minutes));
  const [plan] = plansOf(subnet.spec);
  if (!pool || !plan) return undefined;
  const { cidr: prefix, gateway } = plan;
  return { subnet, pool, plan: { prefix, gateway, dns_servers: network.dns_servers } };
}

/**
 * Claims the addresses that the target and these hosts lack, and answers the network. Throws Rejected when the
 * tenant's subnet has too few free addresses: other members might never release any, while hosts are held.
 */
export const claimAddresses = (
  here: SiteContext,
  hosts: Host[],
  context: StepContext<AtSite>,
): Promise<NetworkRecord | undefined> =>
  claimNames(here, [...floatingIpUses, ...hosts.flatMap(linksOf).map(nicName)], context);

/**
 * Claims the addresses of the target and these hosts before any other step in the subnet, and an API address
 * that the hub announces for no other target. If all of its addresses are in use on the hub, more are claimed
 * until one is not, and the rest are released.
 */
export async function claimFirst(
  here: SiteContext,
  hosts: Host[],
  context: StepContext<AtSite & Placed>,
): Promise<NetworkRecord | undefined> {
  const network = await claimAddresses(here, hosts, context);
  const whole = here.site.spec.network?.prefixes.cidr;
  // The hub announces addresses of both prefixes.
  if (network && whole !== undefined && overlap(network.prefix, whole))
    throw new AppError(
      "Rejected",
      `${network.prefix} overlaps ${whole}, of which clusters at its site have networks of their own: order another subnet`,
    );
  const spares: string[] = [];
  while (!(await pinApi(here.target, context))) {
    spares.push(nicName({ host: asHostId(spare), mac: `${spares.length}` }));
    await claimNames(here, spares, context);
  }
  await releaseAddressesOf(here, new Set([spare]), context);
  return (await context.latest()).site?.network;
}

/** A host name for surplus addresses. */
const spare = "spare";

async function claimNames(
  here: SiteContext,
  wanted: readonly string[],
  context: StepContext<AtSite>,
): Promise<NetworkRecord | undefined> {
  const { network } = here.record;
  const known = addressesIn(network);
  if (wanted.every((name) => known[name] !== undefined)) return network;
  const standing = await standingOf(here, context);
  if (!standing) return undefined;
  const members = inSharedNetwork(here.target, standing.plan);
  const claimed = await claimMissing(members, here.target, standing, wanted, context);
  return claimed.site?.network;
}

/** Releases the addresses of these hosts, whose ports are detached. */
export async function releaseAddressesOf(
  here: SiteContext,
  hosts: ReadonlySet<string>,
  context: StepContext<AtSite>,
): Promise<void> {
  const { network } = (await context.latest()).site ?? {};
  const names = Object.keys(addressesIn(network)).filter((name) => isNicOf(name, hosts));
  const standing = names.length > 0 ? await standingOf(here, context) : undefined;
  if (standing)
    await releaseNames(inSharedNetwork(here.target, standing.plan), standing, names, context);
}

/** Releases all addresses of the target. The last write also records that the part is gone. */
export async function releaseAddresses(
  here: SiteContext,
  context: StepContext<AtSite & Placed>,
): Promise<void> {
  await unpinApi(here.target, context);
  const { network } = (await context.latest()).site ?? {};
  const standing = network && (await standingOf(here, context));
  if (!network || !standing) return;
  const known = Object.keys(addressesIn(network));
  const members = inSharedNetwork(here.target, standing.plan);
  const first = known.slice(0, Math.max(0, known.length - addressesAtOnce));
  await releaseNames(members, standing, first, context);
  const now = context.deps.clock.now();
  const holder = memberHolder(members, known);
  await ownIpam(context.deps).release(
    standing.pool,
    {
      ...holder,
      release(object) {
        const { site, ...rest } = holder.release(object);
        const gone = (record: SiteRecord) => withPart(record, "layer3", "gone", now);
        return site ? { ...rest, site: gone(site) } : object;
      },
    },
    { fence: context.fence() },
  );
}
