import { hours, minutes } from "../../../core/clock.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { done } from "../../../core/kernel/saga/saga.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import { repairOf, withRepair } from "../../../core/resources/baremetal-instance/repair.ts";
import { withServer } from "../../../core/resources/host/server.ts";
import { areProvisioned, dpusOf, isInstalled, provisioning, startAll } from "../dpu/of-host.ts";
import {
  continueUpdate,
  isUpdated,
  type Updating,
  updateFirmware,
  updateOf,
} from "../host/firmware.ts";
import { systems } from "../systems.ts";
import { hostNow, placeOnOverlay, throughDpus } from "./overlay.ts";
import { onServerOf } from "./target.ts";

/** The repair of the host that a server stands on. */

type Step = StepContext<BaremetalInstance>;

async function reinstall(instance: BaremetalInstance, context: Step): Promise<void> {
  const host = await hostNow(instance, context);
  if (host) await startAll(host, context);
}

/** Has the DPUs of the host installed anew that were not since that was asked for. */
export const reinstallDpus: StepAction<BaremetalInstance> = {
  ...provisioning,
  act: reinstall,
  look: reinstall,
  async until(instance, context) {
    const host = await hostNow(instance, context);
    return host ? areProvisioned(host, context) : done;
  },
};

async function update(instance: BaremetalInstance, context: Step): Promise<void> {
  const { deps, guard } = context;
  const host = await hostNow(instance, context);
  if (!host?.firmware_update) return;
  const change: Updating["change"] = async (edit) => {
    await guard();
    await changeObject(deps, "host", host.id, edit);
  };
  await onServerOf(deps, host, async (server) => {
    const start = async () => void (await server.powerOn());
    // Its tenant waits, and consents anew where it has failed.
    await continueUpdate(server, { host, tries: 1, change, start }, context);
  });
}

/** Has the firmware of the host be what its type asks for, where that is asked for. */
export const updateServersFirmware: StepAction<BaremetalInstance> = {
  ...updateFirmware,
  act: update,
  look: update,
  async until(instance, context) {
    const host = await hostNow(instance, context);
    return host?.firmware_update ? isUpdated(host, context) : done;
  },
  deadline: hours(4),
};

/** Has the DPUs put the server where it stood in its tenant's networks, which each tells anew. */
export const restoreNetworks = throughDpus(
  { system: systems.dpu, effects: "none", deadline: minutes(30), usually: minutes(1) },
  { act: placeOnOverlay, what: "in the tenant's networks" },
);

/** Asks for the repair no more, unless the provider has asked again meanwhile. */
async function end(instance: BaremetalInstance, context: Step): Promise<void> {
  const { deps } = context;
  const host = await hostNow(instance, context);
  if (!host) return;
  const dpus = await dpusOf(host, context);
  await context.guard();
  const after = await changeObject(deps, "host", host.id, (current) => {
    const { reinstall, firmware_update, ...rest } = current;
    const isPut = dpus.every((dpu) => isInstalled(dpu, current));
    const updated = updateOf(current, context)?.at ?? "";
    const isNew = firmware_update !== undefined && firmware_update.since > updated;
    return {
      ...(updated === "" ? rest : withServer(rest, { update: undefined })),
      ...(reinstall && !isPut && { reinstall }),
      ...(isNew && { firmware_update }),
    };
  });
  await context.change((current) => withRepair(current, repairOf(undefined, after)));
}

export const endRepair: StepAction<BaremetalInstance> = { act: end, deadline: minutes(15) };
