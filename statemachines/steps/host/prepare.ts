import { minutes, seconds } from "../../../core/clock.ts";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { secretReference } from "../../../core/ports/secrets/secrets.ts";
import { refreshHost } from "../../../core/reconcile/refresh-agents.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { systems } from "../systems.ts";

/**
 * Has the hub forget the agent that ran on the server before, so that only a boot from now on makes an
 * agent, and keeps the image for that boot. The image's URL has a token in it, so it is a secret.
 */
async function prepare({ id, spec }: Host, context: StepContext<Host>): Promise<void> {
  const { deps } = context;
  const host = await refreshHost(deps, id);
  const hub = await deps.hubs.client(spec.hub);
  const image = await hub.agents.discoveryImage();
  await context.guard();
  await deps.secrets.put(secretReference.discoveryImage(id), image);
  const { agent } = host.status;
  if (agent && !agent.gone) await hub.agents.forget(agent.name);
  await refreshHost(deps, id);
}

function isForgotten({ status: { agent } }: Host, _: Context): Outcome {
  if (!agent || agent.gone) return done;
  return pending(`the hub to forget the agent ${agent.name}`, seconds(10));
}

/** Shared by several sagas. */
export const prepareDiscovery: Action<Host> = {
  system: systems.hub,
  act: prepare,
  look: async ({ id }, { deps }) => void (await refreshHost(deps, id)),
  looksLater: true,
  until: isForgotten,
  deadline: minutes(60),
};
