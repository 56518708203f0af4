import { inMinutes, minutes, timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { entryOf, waitedFor } from "../../../core/kernel/saga/entry.ts";
import { done } from "../../../core/kernel/saga/saga.ts";
import { heldHosts } from "../../../core/placement/reserve/release.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import type { DpuStand } from "../../../core/resources/dpu/model.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { onServerOf } from "../../../core/resources/host/on-server.ts";
import { serverOf, withServer } from "../../../core/resources/host/server.ts";
import { nicName } from "../../../core/resources/subnet/members.ts";
import { areConfirmed, dpusOf, forgetNetworks, isolate, lateDpu } from "../dpu/of-host.ts";
import { stand } from "../dpu/overlay.ts";
import { refuseAway } from "../dpu/refuse-away.ts";
import { linksIn } from "./links.ts";

/** An instance whose host has DPUs, which attach it to the tenant's networks and detach it. */

type Step = StepContext<BaremetalInstance>;

/** The present host of an instance, if any. */
export async function hostNow(
  instance: BaremetalInstance,
  { deps }: Pick<Context, "deps">,
): Promise<Host | undefined> {
  const [held] = await heldHosts(deps, instance);
  return held?.host;
}

const hasDpus = ({ dpus = [] }: Host): boolean => dpus.length > 0;

/**
 * The action of the DPUs for an instance in an overlay or on a host with DPUs; the action of the fabric for any
 * other.
 */
export const throughDpus = (
  action: StepAction<BaremetalInstance>,
  {
    act,
    what,
    are = areConfirmed,
  }: {
    act(instance: BaremetalInstance, host: Host, context: Step): Promise<void>;
    what: string;
    /** Whether the DPUs have reached the desired state. */
    are?: typeof areConfirmed;
  },
): StepAction<BaremetalInstance> => {
  const by =
    (way: "act" | "look") =>
    async (instance: BaremetalInstance, context: Step): Promise<void> => {
      const host = await hostNow(instance, context);
      if (isInOverlay(instance) || (host && hasDpus(host)))
        return host && act(instance, host, context);
      await action[way]?.(instance, context);
    };
  return {
    ...action,
    act: by("act"),
    look: by("look"),
    async until(instance, context) {
      const host = await hostNow(instance, context);
      if (isInOverlay(instance) || (host && hasDpus(host)))
        return host && !isProvedOff(host, context) ? are(host, context, what) : done;
      return action.until?.(instance, context) ?? done;
    },
  };
};

const isInOverlay = ({ site }: BaremetalInstance): boolean => site === undefined;

/** Whether this operation quarantined the host, after its controller had reported it off. */
const isProvedOff = (host: Host, { operation }: Context): boolean =>
  serverOf(host).quarantine?.isolated_by === operation.id;

/**
 * Makes the host's DPUs put its NICs into the tenant's subnets. Throws Rejected for a NIC that is behind no
 * DPU.
 */
export async function placeOnOverlay(
  instance: BaremetalInstance,
  host: Host,
  context: Step,
): Promise<void> {
  const { metadata, dpu_ports: ports = [] } = host;
  if (!isInOverlay(instance))
    throw new AppError(
      "Rejected",
      `host ${metadata.name} has DPUs, and the subnets are made by the fabric: an overlay is what they can make`,
    );
  const byDpu = new Map<string, DpuStand[]>();
  for (const [place, links] of linksIn(instance.stands, host).entries())
    for (const link of links) {
      const of = instance.stands[place];
      const attachment = instance.spec.network_attachments[place];
      const nic = host.spec.nics.find(({ mac }) => mac === link.mac)?.name;
      const seen = ports.find((each) => each.nic === nic);
      const address = instance.addresses?.[of?.subnet ?? ""]?.[nicName(link)];
      if (!of || !attachment || address === undefined) continue;
      if (!seen)
        throw new AppError(
          "Rejected",
          `NIC ${nic} of host ${metadata.name} is behind no DPU, and the subnet is of an overlay`,
        );
      byDpu.set(seen.dpu, [
        ...(byDpu.get(seen.dpu) ?? []),
        {
          ...{ mac: link.mac, port: seen.port, subnet: of.subnet, address, isPrimary: of.primary },
          network: await networkOf(of.subnet, context),
          groups: attachment.security_groups.map(({ id }) => id),
        },
      ]);
    }
  // A DPU without a NIC of the tenant carries no packets of the tenant.
  await isolate({ ...host, dpus: (host.dpus ?? []).filter((id) => !byDpu.has(id)) }, context);
  for (const [id, stands] of byDpu) await stand(id, stands, context);
  await refuseAway(await dpusOf(host, context), context);
}

const networkOf = async (subnet: string, { deps }: Step): Promise<string> =>
  (await mustLoad(deps, "subnet", subnet)).spec.virtual_network.id;

/** How long a DPU may take to report that its host is on the admin network. */
const patience = minutes(30);
/** The same time limit when an administrator removes the server by force. */
const forcedPatience = minutes(1);

/**
 * Makes every DPU of the host put it on the admin network. If one does not report that in time, the host is
 * switched off, which its controller confirms, and quarantined, so that no tenant waits for a dead DPU. If an
 * administrator has declared the server off, its controller is not asked.
 */
export async function isolateOrPowerOff(
  { forced }: BaremetalInstance,
  host: Host,
  context: Step,
): Promise<void> {
  await isolate(host, context);
  await forgetNetworks(host, context);
  const { deps, operation, step } = context;
  if (!forced) await refuseAway(await dpusOf(host, context), context);
  const waited = waitedFor(entryOf(operation, step), deps.clock.now());
  const late = await lateDpu(host, context);
  const most = forced ? forcedPatience : patience;
  if (!late || waited === undefined || waited <= most) return;
  const proof = forced?.is_off
    ? `${forced.by} says that the host is off`
    : await offBy(host, context);
  if (proof === undefined) return;
  await context.guard();
  const at = timestamp(deps.clock.now());
  const reason = `expected ${late} within ${inMinutes(most)}; ${proof}`;
  const quarantine = { since: at, step, reason, isolated_by: operation.id };
  // Nobody holds the host from now on, but it stays claimed until a person has it cleaned.
  await changeObject(deps, "host", host.id, (current) => withServer(current, { quarantine }));
}

/** Cuts the power of a host; answers what its controller reports once it is off. */
async function offBy(host: Host, { deps }: Step): Promise<string | undefined> {
  const power = await onServerOf(deps, host, async (server) => {
    await server.powerOff("forced");
    return (await server.observe()).power;
  });
  return power === "off" ? "the host is proved off by its controller" : undefined;
}
