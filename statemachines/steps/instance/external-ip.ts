import { hours, minutes, seconds } from "../../../core/clock.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { done, pending } from "../../../core/kernel/saga/saga.ts";
import {
  automaticAttachmentOf,
  removeAutomaticIp,
} from "../../../core/resources/baremetal-instance/external-ip.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import {
  startLeading,
  startTurningBack,
} from "../../../core/resources/external-ip-attachment/automatic.ts";
import { systems } from "../systems.ts";
import { publishInstance, unpublishInstance } from "./publish.ts";

/** An instance once it is its tenant's, with the external IP that was ordered with it. */

type Step = StepContext<BaremetalInstance>;

const attachmentOf = ({ automatic_ip: at, metadata: { creator } }: BaremetalInstance) =>
  at && { id: at.attachment, creator };

/** Publishes the tenant's server, and routes its external IP there. The server does not wait for the external IP. */
export const publishExternalIp: StepAction<BaremetalInstance> = {
  async act(instance, context) {
    await publishInstance(instance, context);
    const whose = attachmentOf(instance);
    if (whose) await startLeading(context.deps, context.fence(), whose);
  },
  deadline: minutes(15),
};

async function turnBack(instance: BaremetalInstance, context: Step): Promise<void> {
  const whose = attachmentOf(instance);
  if (whose) await startTurningBack(context.deps, context.fence(), whose);
}

/**
 * Withdraws the server and its external IP, so that no external IP leads to a server that leaves its networks.
 */
export const unpublish: StepAction<BaremetalInstance> = {
  system: systems.placement,
  async act(instance, context) {
    await unpublishInstance(instance, context);
    await turnBack(instance, context);
  },
  look: turnBack,
  looksLater: true,
  async until(instance, { deps }) {
    const left = await automaticAttachmentOf(deps, instance);
    if (!left) return done;
    return pending(`external IP ${left.address} to lead to the server no more`, seconds(10));
  },
  effects: "none",
  deadline: hours(24),
};

/**
 * The undo of an order's first step: removes the objects that were ordered with it, even if the step never
 * began.
 */
export const withoutExternalIp = (
  undo: StepAction<BaremetalInstance>,
): StepAction<BaremetalInstance> => ({
  ...undo,
  fromOrder: true,
  async act(instance, context) {
    await undo.act?.(instance, context);
    if (instance.automatic_ip) await removeAutomaticIp(context.deps, context.fence(), instance.id);
  },
});
