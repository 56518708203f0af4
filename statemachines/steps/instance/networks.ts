import { hours, minutes } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { heldHosts } from "../../../core/placement/release.ts";
import type { Attachment } from "../../../core/ports/fabric/fabric.ts";
import { inStand } from "../../../core/resources/baremetal-instance/members.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import type { Stand } from "../../../core/resources/site/at-site.ts";
import { networkIn } from "../../../core/resources/site/owner.ts";
import { donePart } from "../../../core/resources/site/parts.ts";
import { addressPool, nicName } from "../../../core/resources/subnet/members.ts";
import { attachmentStatus } from "../site/attachments.ts";
import { ensurePart, note, noteBegun, noteRemoval, removePart, siteOf } from "../site/site.ts";
import { claimMissing, releaseNames, type Within } from "../site/subnet-addresses.ts";
import { systems } from "../systems.ts";
import { linksIn } from "./links.ts";
import { isolateOrPowerOff, placeOnOverlay, throughDpus } from "./overlay.ts";

/** An instance in its networks: addresses that it claims there, and the switch ports of its host. */

type Step = StepContext<BaremetalInstance>;

/** How many minutes an address in an overlay rests: until then other ends may know it. */
const overlayRest = 10;

/** One of its subnets, with the addresses there. Throws Rejected for a subnet without addresses for hosts. */
async function withinStand(
  { site }: BaremetalInstance,
  { subnet: id }: Stand,
  { deps }: Step,
): Promise<Within> {
  const [subnet, where] = await Promise.all([
    mustLoad(deps, "subnet", id),
    site && mustLoad(deps, "site", site.id),
  ]);
  const rest = where ? (where.spec.network?.rest_minutes ?? 0) : overlayRest;
  const pool = addressPool(subnet, minutes(rest));
  if (!pool)
    throw new AppError("Rejected", `subnet '${subnet.metadata.name}' has no IPv4 addresses`);
  return { subnet, pool };
}

/** The host of an instance. Throws Rejected for one that has no NIC that an attachment names. */
async function hostOf(instance: BaremetalInstance, { deps }: Pick<Step, "deps">): Promise<Host> {
  const [held] = await heldHosts(deps, instance);
  if (!held) throw new AppError("Rejected", "its host is in the inventory no more");
  const { host } = held;
  const has = new Set(host.spec.nics.map(({ name }) => name));
  const missing = instance.stands.find((stand) => stand.interface && !has.has(stand.interface));
  if (missing)
    throw new AppError(
      "Rejected",
      `host ${host.metadata.name} has no network port '${missing.interface}': it has ${[...has].join(", ")}`,
    );
  return host;
}

/** Claims an address for each NIC of the host in the subnet that it is to be in. */
async function claimAddresses(instance: BaremetalInstance, context: Step): Promise<void> {
  const host = await hostOf(instance, context);
  await noteBegun("layer3", "its addresses", instance, context);
  await context.change((current) =>
    current.nics
      ? undefined
      : { ...current, nics: host.spec.nics.map(({ name, mac }) => ({ name, mac })) },
  );
  for (const [place, links] of linksIn(instance, host).entries()) {
    const stand = instance.stands[place];
    if (!stand) continue;
    const within = await withinStand(instance, stand, context);
    const members = inStand(instance, place);
    await claimMissing(members, await context.latest(), within, links.map(nicName), context);
  }
  await note("layer3", donePart, context);
}

/** Releases them. They are released after the ports are gone, so that nobody meets the server there. */
async function releaseAddresses(instance: BaremetalInstance, context: Step): Promise<void> {
  for (const [place, stand] of instance.stands.entries()) {
    const names = Object.keys(stand.addresses ?? {});
    if (names.length === 0) continue;
    const within = await withinStand(instance, stand, context);
    await releaseNames(inStand(instance, place), within, names, context);
  }
  await context.change(({ nics, ...rest }) => nics && rest);
  await note("layer3", "gone", context);
}

/** Claims the addresses of an instance in its subnets. */
export const prepareNetworks: Action<BaremetalInstance> = {
  ...ensurePart<BaremetalInstance>("layer3", systems.placement, claimAddresses, {
    deadline: minutes(30),
  }),
  effects: "none",
};

export const releaseNetworks: Action<BaremetalInstance> = {
  ...removePart<BaremetalInstance>("layer3", systems.placement, releaseAddresses),
  effects: "none",
};

/** Binds the switch ports of the host, each to the segment of the subnet that its NIC is to be in. */
async function attach(instance: BaremetalInstance, context: Step): Promise<void> {
  const here = await siteOf(instance, context);
  if (!here) return;
  const { fabric } = here;
  if (!fabric) throw new AppError("Rejected", "its site has no fabric that attaches servers");
  const host = await hostOf(instance, context);
  await noteBegun("attachments", "the switch ports", instance, context);
  const bound: Attachment[] = [];
  for (const [place, links] of linksIn(instance, host).entries()) {
    const stand = instance.stands[place];
    if (!stand) continue;
    const placed = links.map((link) => {
      const address = stand.addresses?.[nicName(link)];
      return { ...link, ...(address !== undefined && { address }) };
    });
    bound.push(...(await fabric.ensureAttachments(networkIn(instance, stand), placed)));
  }
  await note("attachments", attachmentStatus(bound, [host]), context);
}

/** Takes every port of the host off the tenant's networks. */
async function detach(instance: BaremetalInstance, context: Step): Promise<void> {
  const here = await siteOf(instance, context);
  if (!here) return;
  for (const stand of here.fabric ? instance.stands : []) {
    const removal = await here.fabric?.removeAttachments(networkIn(instance, stand));
    if (removal?.state === "pending") return noteRemoval("attachments", removal, context);
  }
  await noteRemoval("attachments", { state: "absent" }, context);
}

/** Puts the host into the tenant's networks: on the fabric, or by its DPUs. */
export const attachHost = throughDpus(
  ensurePart<BaremetalInstance>("attachments", systems.fabric, attach, {
    deadline: minutes(30),
    usually: minutes(1),
  }),
  { act: placeOnOverlay, what: "in the tenant's networks" },
);

/** Takes it out of them, after which it is the tenant's no more. */
export const detachHost: Action<BaremetalInstance> = throughDpus(
  {
    ...removePart<BaremetalInstance>("attachments", systems.fabric, detach),
    deadline: hours(24),
  },
  { act: isolateOrPowerOff, what: "on the admin network" },
);
