import ipaddr from "ipaddr.js";
import type { AtSite } from "../../../core/at-site/at-site.ts";
import { linksOf, subnetOf, subnetPlanOf } from "../../../core/at-site/owner.ts";
import { donePart } from "../../../core/at-site/parts.ts";
import { hours, minutes, seconds } from "../../../core/clock.ts";
import { asHostId, type HostId } from "../../../core/id.ts";
import type { Placed } from "../../../core/kernel/object/traits.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { heldHosts } from "../../../core/placement/reserve/release.ts";
import type { Attachment, HostLink, Removal } from "../../../core/ports/fabric/fabric.ts";
import { attachmentProblem } from "../../../core/reconcile/look-at-parts.ts";
import { refreshAgents } from "../../../core/reconcile/refresh-agents.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { addressesIn, nicName } from "../../../core/resources/subnet/members.ts";
import { systems } from "../systems.ts";
import { claimAddresses, releaseAddressesOf } from "./members.ts";
import { isThere, note, noteBegun, noteRemoval, type SiteContext, siteOf } from "./site.ts";

/** A target with hosts of a hub, on a network. */
type Attached = AtSite & Placed;

/** Hosts report their addresses by themselves once their ports are bound; these checks find refused ports. */
const ofPorts = { first: seconds(30), longest: seconds(60) };

/** Agents report their addresses; this check is for lost reports. */
const ownLook = seconds(60);

/** Binds the switch ports of the target's hosts to its network, by the cabling in the inventory. */
export async function ensureAttachments(
  target: Attached,
  context: StepContext<Attached>,
): Promise<void> {
  const here = await siteOf(target, context);
  if (!here) return;
  if (!here.fabric || !here.record.network) return note("attachments", donePart, context);
  const hosts = await stayingHosts(target, context);
  await noteBegun("attachments", "the switch ports", target, context);
  const links = await linksFor(here, hosts, context);
  const attachments = await here.fabric.ensureAttachments(here.networkOwner, links);
  await reserve(here, attachments);
  await note("attachments", attachmentStatus(attachments, hosts), context);
}

/** The hosts' cabling; in a tenant's subnet with each host's address, which is claimed if missing. */
async function linksFor(
  here: SiteContext,
  hosts: Host[],
  context: StepContext<Attached>,
): Promise<HostLink[]> {
  const links = hosts.flatMap(linksOf);
  if (!here.target.stands_in) return links;
  const known = addressesIn(await claimAddresses(here, hosts, context));
  return links.map((link) => {
    const address = known[nicName(link)];
    return { ...link, ...(address !== undefined && { address }) };
  });
}

/** Reserves at the site's DHCP server each NIC's address from the fabric. */
async function reserve({ dhcp, target, record }: SiteContext, attachments: Attachment[]) {
  if (!dhcp || !record.network) return;
  const reservations = attachments.flatMap(({ mac, address }) =>
    address === undefined ? [] : [{ mac, address }],
  );
  await dhcp.reserve(subnetOf(target, record.network), reservations);
}

/** Removes the DHCP reservations of these NICs, or all of the target's. */
async function releaseReservations(
  { dhcp, target, record }: SiteContext,
  macs?: string[],
): Promise<void> {
  if (!dhcp || !record.network) return;
  const subnet = subnetOf(target, record.network);
  const { state, reservations } = await dhcp.observe(subnet, subnetPlanOf(record.network));
  if (state === "absent" || state === "foreign") return;
  const left = macs ? reservations.filter(({ mac }) => !macs.includes(mac)) : [];
  await dhcp.reserve(subnet, left);
}

/** The progress of these ports by host. The owner of a single host does not see the provider's name for it. */
export function attachmentStatus(attachments: Attachment[], hosts: Host[]) {
  const isOne = hosts.length === 1;
  const nameOf = (id: string) => hosts.find((host) => host.id === id)?.metadata.name ?? id;
  const refused = attachments.find(({ state }) => state === "refused");
  if (refused?.state === "refused")
    return {
      state: "failed",
      message: `${isOne ? "" : `host ${nameOf(refused.host)}, `}NIC ${refused.mac}: ${refused.message}`,
    } as const;
  const open = attachments.filter(({ state }) => state !== "bound");
  const [first] = open;
  if (!first) return donePart;
  const bound = `${open.length} of ${attachments.length} switch ports to be bound`;
  const message = isOne ? bound : `${bound} (host ${nameOf(first.host)})`;
  return { state: "pending", message } as const;
}

/** Requests the ports again until all are bound; then reads the addresses that the agents report. */
async function lookAtAttachments(target: Attached, context: StepContext<Attached>): Promise<void> {
  if (target.site?.parts.attachments?.state !== "done") await ensureAttachments(target, context);
  await refreshAgents(context.deps, target);
}

/** Waits until every port is bound and every agent has an address in the network's prefix. */
async function hostsAttached(target: Attached, context: Context): Promise<Outcome> {
  const bound = isThere("attachments", ofPorts)(target, context);
  const network = target.site?.network;
  if (!network) return bound;
  const hosts = await stayingHosts(target, context);
  const without = hosts.filter((host) => !isIn(network.prefix, host));
  if (!bound.done)
    // Every host has an address, so at least one of its ports is bound: the step checks the others at once.
    return without.length === 0 ? pending(bound.waitingFor, 0) : bound;
  if (without.length === 0) return done;
  const names = without.map(({ metadata }) => metadata.name);
  const said = `${without.length} of ${hosts.length} hosts to report an address in ${network.prefix}`;
  return pending(`${said}: ${inShort(names)}`, ownLook);
}

/** The undo that several sagas use. */
export const attachHosts: StepAction<Attached> = {
  system: systems.fabric,
  act: ensureAttachments,
  look: lookAtAttachments,
  looksLater: true,
  until: hostsAttached,
  deadline: minutes(30),
  usually: minutes(1),
};

const hostsOf = async (target: Attached, { deps }: Context): Promise<Host[]> =>
  (await heldHosts(deps, target)).map(({ host }) => host);

/** The hosts of the target that are not leaving. */
async function stayingHosts(target: Attached, context: Context): Promise<Host[]> {
  const leaving = new Set<string>(target.placement?.leaving);
  return (await hostsOf(target, context)).filter(({ id }) => !leaving.has(id));
}

/** Whether the host's agent reports an address of this prefix. */
function isIn(prefix: string, { status: { agent } }: Host): boolean {
  const network = ipaddr.parseCIDR(prefix);
  return (agent?.gone === false ? agent.addresses : []).some((text) => {
    const address = ipaddr.parse(text);
    return address.kind() === network[0].kind() && address.match(network);
  });
}

const inShort = (names: string[]): string =>
  names.length > 3
    ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`
    : names.join(", ");

/** Takes all hosts of the target off its network. */
async function removeAttachments(target: Attached, context: StepContext<Attached>): Promise<void> {
  const removal = await detach(target, context);
  if (removal) await noteRemoval("attachments", removal, context);
}

/**
 * Detaches only these hosts. The part then has the state of the remaining ports: done if they are bound,
 * otherwise `failed`, because no step retries them; the sweep checks targets without an operation.
 */
export async function detachHosts(
  target: Attached,
  hosts: HostId[],
  context: StepContext<Attached>,
): Promise<void> {
  const removal = hosts.length > 0 ? await detach(target, context, hosts) : undefined;
  if (removal?.state === "pending") return note("attachments", removal, context);
  const here = await siteOf(target, context);
  if (!here || here.record.parts.attachments?.state === "done") return;
  if (!here.fabric || !here.record.network) return note("attachments", donePart, context);
  const seen = await here.fabric.observe(here.networkOwner);
  const problem = attachmentProblem(seen, await stayingHosts(target, context));
  const message = problem ?? "the fabric does not report whether the switch ports are bound";
  await note("attachments", problem === "" ? donePart : { state: "failed", message }, context);
}

async function detach(
  target: Attached,
  context: StepContext<Attached>,
  hosts?: HostId[],
): Promise<Removal | undefined> {
  const here = await siteOf(target, context);
  if (!here?.fabric || !here.record.network) return here && { state: "absent" };
  const removal = await here.fabric.removeAttachments(here.networkOwner, hosts && { hosts });
  if (removal.state !== "absent") return removal;
  if (target.stands_in && hosts) await releaseAddressesOf(here, new Set<string>(hosts), context);
  const held = here.dhcp && hosts ? await hostsOf(target, context) : [];
  const leaving = held.filter(({ id }) => hosts?.includes(asHostId(id)));
  const macs = leaving.flatMap(linksOf).map(({ mac }) => mac.toLowerCase());
  await releaseReservations(here, hosts && macs);
  return removal;
}

async function lookAtDetachments(target: Attached, context: StepContext<Attached>): Promise<void> {
  if (target.site?.parts.attachments) await removeAttachments(target, context);
  await refreshAgents(context.deps, target);
}

/**
 * Waits until no port is bound and no agent has an address in the network's prefix, so that the network's next user
 * shares it with none of these hosts.
 */
async function hostsDetached(target: Attached, context: Context): Promise<Outcome> {
  const left = target.site?.parts.attachments;
  if (left) return pending(left.message || "the switch ports", seconds(10));
  return outOf(await hostsOf(target, context), target);
}

/** The undo; deletions use it, too. */
export const detachAllHosts: StepAction<Attached> = {
  system: systems.fabric,
  act: removeAttachments,
  look: lookAtDetachments,
  until: hostsDetached,
  deadline: hours(24),
  usually: minutes(1),
};

/** Waits until none of these hosts reports an address in the network's prefix. */
export function outOf(hosts: Host[], { site }: AtSite): Outcome {
  const prefix = site?.network?.prefix;
  const inside = prefix === undefined ? [] : hosts.filter((host) => isIn(prefix, host));
  if (inside.length === 0) return done;
  const names = inShort(inside.map(({ metadata }) => metadata.name));
  return pending(`hosts to leave the network ${prefix}: ${names}`, ownLook);
}
