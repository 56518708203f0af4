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

/** The repair of an instance's host. */

type Step = StepContext<BaremetalInstance>;

async function reinstall(instance: BaremetalInstance, context: Step): Promise<void> {
  const host = await hostNow(instance, context);
  if (host) await startAll(host, context);
}

/** Reinstalls the DPUs of the host that were not reinstalled since the request. */
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
    // One attempt only, because the tenant waits; after a failure the tenant has to consent again.
    await continueUpdate(server, { host, tries: 1, change, start }, context);
  });
}

/** Updates the host's firmware to the versions of its type, if the provider requested that. */
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

/** Makes the DPUs restore the server's places in its tenant's networks; each reports that again. */
export const restoreNetworks = throughDpus(
  { system: systems.dpu, effects: "none", deadline: minutes(30), usually: minutes(1) },
  { act: placeOnOverlay, what: "in the tenant's networks" },
);

/** Ends the request for the repair, unless the provider has requested one again meanwhile. */
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
