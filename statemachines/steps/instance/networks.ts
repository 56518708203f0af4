import type { Stand } from "../../../core/at-site/at-site.ts";
import { networkIn } from "../../../core/at-site/owner.ts";
import { donePart } from "../../../core/at-site/parts.ts";
import { hours, minutes } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { heldHosts } from "../../../core/placement/reserve/release.ts";
import type { Attachment, Fabric } from "../../../core/ports/fabric/fabric.ts";
import { inSubnet, macsByStand } from "../../../core/resources/baremetal-instance/members.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import { everyStand } from "../../../core/resources/baremetal-instance/networks.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { addressPool, macOfNic, nicName } from "../../../core/resources/subnet/members.ts";
import { attachmentStatus } from "../site/attachments.ts";
import { ensurePart, note, noteBegun, noteRemoval, removePart, siteOf } from "../site/site.ts";
import { claimMissing, releaseNames, type Within } from "../site/subnet-addresses.ts";
import { systems } from "../systems.ts";
import { linksIn } from "./links.ts";
import { isolateOrPowerOff, placeOnOverlay, throughDpus } from "./overlay.ts";

/** An instance in its networks: its claimed addresses, and its host's switch ports. */

type Step = StepContext<BaremetalInstance>;

/**
 * How many minutes a released address in an overlay is not reused, because other ends may still have a route to
 * it.
 */
const overlayRest = 10;

/** A subnet with its pool of addresses. Throws Rejected if it has none for hosts. */
async function within(
  { site }: BaremetalInstance,
  id: string,
  { deps }: Pick<Context, "deps">,
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

/** The host of an instance. Throws Rejected when the host lacks a NIC that one of these subnets names. */
export async function hostFor(
  instance: BaremetalInstance,
  stands: readonly Stand[],
  { deps }: Pick<Context, "deps">,
): Promise<Host> {
  const [held] = await heldHosts(deps, instance);
  if (!held) throw new AppError("Rejected", "its host is in the inventory no more");
  const { host } = held;
  const has = new Set(host.spec.nics.map(({ name }) => name));
  const missing = stands.find((stand) => stand.interface && !has.has(stand.interface));
  if (missing)
    throw new AppError(
      "Rejected",
      `host ${host.metadata.name} has no network port '${missing.interface}': it has ${[...has].join(", ")}`,
    );
  return host;
}

/** Claims an address for each NIC of the host in its subnet. */
export async function claimInstanceAddresses(
  instance: BaremetalInstance,
  stands: readonly Stand[],
  context: Step,
): Promise<void> {
  const host = await hostFor(instance, stands, context);
  await noteBegun("layer3", "its addresses", instance, context);
  await context.change((current) =>
    current.nics
      ? undefined
      : { ...current, nics: host.spec.nics.map(({ name, mac }) => ({ name, mac })) },
  );
  for (const [place, links] of linksIn(stands, host).entries()) {
    const { subnet = "" } = stands[place] ?? {};
    const where = await within(instance, subnet, context);
    const members = inSubnet(instance, subnet);
    await claimMissing(members, await context.latest(), where, links.map(nicName), context);
  }
  await note("layer3", donePart, context);
}

/** Releases all addresses except those of the NICs in these subnets; nothing uses them any more. */
export async function releaseBeyond(
  instance: BaremetalInstance,
  stands: readonly Stand[],
  context: Step,
): Promise<void> {
  const needed = new Map(
    macsByStand(stands, instance).map((macs, place) => [stands[place]?.subnet, macs]),
  );
  for (const [subnet, known] of Object.entries(instance.addresses ?? {})) {
    const names = Object.keys(known).filter(
      (name) => !needed.get(subnet)?.includes(macOfNic(name)),
    );
    if (names.length === 0) continue;
    const where = await within(instance, subnet, context);
    await releaseNames(inSubnet(instance, subnet), where, names, context);
  }
}

const claimAll = (instance: BaremetalInstance, context: Step): Promise<void> =>
  claimInstanceAddresses(instance, instance.stands, context);

/**
 * Releases all addresses. Only after the ports are detached, so that no new holder shares an address with the
 * server.
 */
async function releaseAddresses(instance: BaremetalInstance, context: Step): Promise<void> {
  await releaseBeyond(instance, [], context);
  await context.change(({ nics, ...rest }) => nics && rest);
  await note("layer3", "gone", context);
}

/** Claims the addresses of an instance in its subnets. */
export const prepareNetworks: StepAction<BaremetalInstance> = {
  ...ensurePart<BaremetalInstance>("layer3", systems.placement, claimAll, {
    deadline: minutes(30),
  }),
  effects: "none",
};

export const releaseNetworks: StepAction<BaremetalInstance> = {
  ...removePart<BaremetalInstance>("layer3", systems.placement, releaseAddresses),
  effects: "none",
};

/** Binds each switch port of the host to the segment of its NIC's subnet. */
export async function bindPorts(
  instance: BaremetalInstance,
  stands: readonly Stand[],
  { fabric, host }: { fabric: Fabric; host: Host },
): Promise<Attachment[]> {
  const bound: Attachment[] = [];
  for (const [place, links] of linksIn(stands, host).entries()) {
    const stand = stands[place];
    if (!stand) continue;
    const addresses = instance.addresses?.[stand.subnet];
    const placed = links.map((link) => {
      const address = addresses?.[nicName(link)];
      return { ...link, ...(address !== undefined && { address }) };
    });
    bound.push(...(await fabric.ensureAttachments(networkIn(instance, stand), placed)));
  }
  return bound;
}

async function attach(instance: BaremetalInstance, context: Step): Promise<void> {
  const here = await siteOf(instance, context);
  if (!here) return;
  const { fabric } = here;
  if (!fabric) throw new AppError("Rejected", "its site has no fabric that attaches servers");
  const { stands } = instance;
  const host = await hostFor(instance, stands, context);
  await noteBegun("attachments", "the switch ports", instance, context);
  const bound = await bindPorts(instance, stands, { fabric, host });
  await note("attachments", attachmentStatus(bound, [host]), context);
}

/** Detaches every port of the host from the tenant's networks. */
async function detach(instance: BaremetalInstance, context: Step): Promise<void> {
  const here = await siteOf(instance, context);
  if (!here) return;
  for (const stand of here.fabric ? everyStand(instance) : []) {
    const removal = await here.fabric?.removeAttachments(networkIn(instance, stand));
    if (removal?.state === "pending") return noteRemoval("attachments", removal, context);
  }
  await noteRemoval("attachments", { state: "absent" }, context);
}

/** Attaches the host to the tenant's networks: on the fabric, or by its DPUs. */
export const attachHost = throughDpus(
  ensurePart<BaremetalInstance>("attachments", systems.fabric, attach, {
    deadline: minutes(30),
    usually: minutes(1),
  }),
  { act: placeOnOverlay, what: "in the tenant's networks" },
);

/** Detaches the host from the tenant's networks; from then on the server is no longer the tenant's. */
export const detachHost: StepAction<BaremetalInstance> = throughDpus(
  {
    ...removePart<BaremetalInstance>("attachments", systems.fabric, detach),
    deadline: hours(24),
  },
  { act: isolateOrPowerOff, what: "on the admin network" },
);
