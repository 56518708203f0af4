import { minutes } from "../../../core/clock.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { done } from "../../../core/kernel/saga/saga.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import { repairOf, withRepair } from "../../../core/resources/baremetal-instance/repair.ts";
import { areProvisioned, dpusOf, isInstalled, provisioning, startAll } from "../dpu/of-host.ts";
import { systems } from "../systems.ts";
import { hostNow, placeOnOverlay, throughDpus } from "./overlay.ts";

/** The repair of the host that a server stands on. */

type Step = StepContext<BaremetalInstance>;

async function reinstall(instance: BaremetalInstance, context: Step): Promise<void> {
  const host = await hostNow(instance, context);
  if (host) await startAll(host, context);
}

/** Has the DPUs of the host installed anew that were not since that was asked for. */
export const reinstallDpus: Action<BaremetalInstance> = {
  ...provisioning,
  act: reinstall,
  look: reinstall,
  async until(instance, context) {
    const host = await hostNow(instance, context);
    return host ? areProvisioned(host, context) : done;
  },
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
    if (!dpus.every((dpu) => isInstalled(dpu, current))) return undefined;
    const { reinstall: _, ...rest } = current;
    return rest;
  });
  await context.change((current) => withRepair(current, repairOf(undefined, after)));
}

export const endRepair: Action<BaremetalInstance> = { act: end, deadline: minutes(15) };
