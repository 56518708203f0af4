import type { StepAction } from "../../../core/kernel/saga/action.ts";
import { done } from "../../../core/kernel/saga/saga.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import { restartServer } from "./boot-image.ts";
import { stopServer } from "./power.ts";
import type { OnServer } from "./target.ts";

/** Whether the tenant has requested that the server be on. */

const isWanted = ({ spec }: BaremetalInstance): boolean =>
  spec.run_strategy === "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS";

/** An action that does nothing if the tenant wants the opposite. */
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

/** Shuts the server down, if the tenant wants it off. */
export const settlePower = where((instance) => !isWanted(instance), stopServer);

/** Starts or restarts the server from its disk, if the tenant wants it on. */
export const startInstanceAnew = where(isWanted, restartServer);
