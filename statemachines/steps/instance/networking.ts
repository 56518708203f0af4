import type { Stand } from "../../../core/at-site/at-site.ts";
import { networkIn } from "../../../core/at-site/owner.ts";
import { hours, minutes } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { done } from "../../../core/kernel/saga/saga.ts";
import type { Fabric, Removal } from "../../../core/ports/fabric/fabric.ts";
import { macsByStand } from "../../../core/resources/baremetal-instance/members.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import {
  doMove,
  everyStand,
  withNetworks,
} from "../../../core/resources/baremetal-instance/networks.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { areBack, areConfirmed, forgetNetworks } from "../dpu/of-host.ts";
import { attachmentStatus } from "../site/attachments.ts";
import { regroupPorts } from "../site/groups.ts";
import { ensurePart, note, noteBegun, noteRemoval, siteOf } from "../site/site.ts";
import { systems } from "../systems.ts";
import { bindPorts, claimInstanceAddresses, hostFor, releaseBeyond } from "./networks.ts";
import { placeOnOverlay, throughDpus } from "./overlay.ts";

/**
 * A server that changes its networks while it runs. It has the addresses of both until all that carries its packets has
 * reported that the new networks are there; only then are the old ones released, and until then they can be returned to.
 */

type Step = StepContext<BaremetalInstance>;

/** The networks that it is to have, or those that it had before. */
type Which = "wanted" | "previous";

/** The instance, as it is to be. */
const as = (which: Which, instance: BaremetalInstance): BaremetalInstance =>
  which === "previous" && instance.formerly ? withNetworks(instance, instance.formerly) : instance;

const claim = (which: Which) => (instance: BaremetalInstance, context: Step) =>
  claimInstanceAddresses(instance, as(which, instance).stands, context);

const release = (which: Which) => (instance: BaremetalInstance, context: Step) =>
  releaseBeyond(instance, as(which, instance).stands, context);

const inStore = { system: systems.placement, effects: "none" } as const;

/** Claims the addresses that it lacks in its new networks. */
export const claimNewAddresses: StepAction<BaremetalInstance> = {
  ...inStore,
  act: claim("wanted"),
  deadline: minutes(30),
};

export const releaseNewAddresses: StepAction<BaremetalInstance> = {
  ...inStore,
  act: release("previous"),
  deadline: hours(24),
};

/**
 * Moves the switch ports of the NICs that are to be elsewhere. A port is in one network at a time, so it leaves one before
 * it is bound in the other.
 */
const movePorts =
  (which: Which) =>
  async (instance: BaremetalInstance, context: Step): Promise<void> => {
    const here = await siteOf(instance, context);
    if (!here || !doMove(instance)) return;
    const { fabric } = here;
    if (!fabric) throw new AppError("Rejected", "its site has no fabric that attaches servers");
    const { stands } = as(which, instance);
    const host = await hostFor(instance, stands, context);
    await noteBegun("attachments", "the switch ports", instance, context);
    const removal = await leave(instance, stands, fabric);
    if (removal.state === "pending") return noteRemoval("attachments", removal, context);
    const bound = await bindPorts(instance, stands, { fabric, host });
    await note("attachments", attachmentStatus(bound, [host]), context);
  };

/** Takes the ports out of the subnets in which their NICs are not to be. */
async function leave(
  instance: BaremetalInstance,
  stands: readonly Stand[],
  fabric: Fabric,
): Promise<Removal> {
  const staying = macsByStand(stands, instance);
  const all = (instance.nics ?? []).map(({ mac }) => mac.toLowerCase());
  for (const stand of everyStand(instance)) {
    const place = stands.findIndex(({ subnet }) => subnet === stand.subnet);
    const macs = all.filter((mac) => !staying[place]?.includes(mac));
    const removal = await fabric.removeAttachments(networkIn(instance, stand), { macs });
    if (removal.state === "pending") return removal;
  }
  return { state: "absent" };
}

/** Has each DPU have the server in these networks, and be forgotten in those that it has left. */
const placeOnDpus =
  (which: Which) =>
  async (instance: BaremetalInstance, host: Host, context: Step): Promise<void> => {
    await placeOnOverlay(as(which, instance), host, context);
    await forgetNetworks(host, context);
  };

const byDpus = (which: Which) => ({
  act: placeOnDpus(which),
  what: "in the tenant's networks",
  are: which === "previous" ? areBack : areConfirmed,
});

const move = (which: Which, deadline: number): StepAction<BaremetalInstance> => {
  const ports = ensurePart<BaremetalInstance>("attachments", systems.fabric, movePorts(which), {
    deadline,
    usually: minutes(1),
  });
  return throughDpus(
    {
      ...ports,
      // Ports that are not moved are not waited for.
      until: (instance, context) =>
        doMove(instance) ? (ports.until?.(instance, context) ?? done) : done,
    },
    byDpus(which),
  );
};

/** Puts the server into its new networks: on the fabric, or by its DPUs. */
export const moveOver = move("wanted", minutes(30));
export const moveBack = move("previous", hours(24));

const regroup = (which: Which, deadline?: number): StepAction<BaremetalInstance> =>
  throughDpus(regroupPorts(which, deadline), byDpus(which));

/** Gives the ports that stay where they are their new security groups. */
export const changeGroups = regroup("wanted", hours(2));
export const returnGroups = regroup("previous");

/** Says that the new networks are there, and releases what it has in the old ones. */
async function leaveOld(_: BaremetalInstance, context: Step): Promise<void> {
  const instance = await context.change(({ formerly, ...rest }) =>
    formerly && !formerly.areLeft
      ? { ...rest, formerly: { ...formerly, areLeft: true } }
      : undefined,
  );
  await release("wanted")(instance, context);
}

/** Claims again what it needs there: another address, where its own is released already. */
async function comeBack(_: BaremetalInstance, context: Step): Promise<void> {
  const instance = await context.change(({ formerly, ...rest }) => {
    if (!formerly?.areLeft) return undefined;
    const { areLeft: __, ...before } = formerly;
    return { ...rest, formerly: before };
  });
  await claim("previous")(instance, context);
}

export const releaseOldAddresses: StepAction<BaremetalInstance> = {
  ...inStore,
  act: leaveOld,
  deadline: minutes(30),
};

export const claimOldAddresses: StepAction<BaremetalInstance> = {
  ...inStore,
  act: comeBack,
  deadline: hours(24),
};
