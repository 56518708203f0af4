import type { StepAction } from "../../../core/kernel/saga/action.ts";
import { done } from "../../../core/kernel/saga/saga.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import { restartServer } from "./boot-image.ts";
import { stopServer } from "./power.ts";
import type { OnServer } from "./target.ts";

/** Whether an instance's server runs, as its tenant has it. */

const isWanted = ({ spec }: BaremetalInstance): boolean =>
  spec.run_strategy === "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS";

/** An action that has nothing to do while the tenant wants the server otherwise. */
const where = (
  applies: (instance: BaremetalInstance) => boolean,
  action: StepAction<OnServer>,
): StepAction<BaremetalInstance> => ({
  ...action,
  act: async (instance, context) => {
    if (applies(instance)) await action.act?.(instance, context);
  },
  look: async (instance, context) => {
    if (applies(instance)) await action.look?.(instance, context);
  },
  until: (instance, context) =>
    applies(instance) ? (action.until?.(instance, context) ?? done) : done,
});

/** Shuts the server down, where it is not to run. */
export const settlePower = where((instance) => !isWanted(instance), stopServer);

/** Starts the server from its disk, where it is to run: one that runs is restarted. */
export const startInstanceAnew = where(isWanted, restartServer);
