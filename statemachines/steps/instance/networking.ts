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
 * Changes the networks of a running server. It has the addresses of both until all ports or DPUs have reported
 * the new networks. The old addresses are released only then, so the change can be undone until then.
 */

type Step = StepContext<BaremetalInstance>;

/** The desired networks or, in an undo, the previous ones. */
type Which = "wanted" | "previous";

/** The instance with these networks. */
const as = (which: Which, instance: BaremetalInstance): BaremetalInstance =>
  which === "previous" && instance.formerly ? withNetworks(instance, instance.formerly) : instance;

const claim = (which: Which) => (instance: BaremetalInstance, context: Step) =>
  claimInstanceAddresses(instance, as(which, instance).stands, context);

const release = (which: Which) => (instance: BaremetalInstance, context: Step) =>
  releaseBeyond(instance, as(which, instance).stands, context);

const inStore = { system: systems.placement, effects: "none" } as const;

/** Claims the addresses that the server lacks in its new networks. */
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
 * Moves the switch ports of the NICs whose network changes. A port is in one network at a time, so it leaves one
 * before it is bound in the other.
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

/** Detaches the ports from the subnets that their NICs are to leave. */
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

/** Puts the server into these networks on each DPU, and removes the DPUs from the ends of those that it has left. */
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
      // Ports that do not move need no wait.
      until: (instance, context) =>
        doMove(instance) ? (ports.until?.(instance, context) ?? done) : done,
    },
    byDpus(which),
  );
};

/** Moves the server to its new networks: on the fabric, or by its DPUs. */
export const moveOver = move("wanted", minutes(30));
export const moveBack = move("previous", hours(24));

const regroup = (which: Which, deadline?: number): StepAction<BaremetalInstance> =>
  throughDpus(regroupPorts(which, deadline), byDpus(which));

/** Changes the security groups of the ports that stay in their network. */
export const changeGroups = regroup("wanted", hours(2));
export const returnGroups = regroup("previous");

/** Ends the change, and releases the addresses in the old networks. */
async function leaveOld(_: BaremetalInstance, context: Step): Promise<void> {
  const instance = await context.change(({ formerly, ...rest }) =>
    formerly && !formerly.areLeft
      ? { ...rest, formerly: { ...formerly, areLeft: true } }
      : undefined,
  );
  await release("wanted")(instance, context);
}

/**
 * Claims again what the server needs in its previous networks; an address that was already released may be
 * replaced by another.
 */
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
