import { minutes, seconds } from "../../../core/clock.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { secretReference } from "../../../core/ports/secrets/secrets.ts";
import { refreshHost } from "../../../core/reconcile/refresh-agents.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { systems } from "../systems.ts";

/** The steps on a host at its hub: the discovery image, and the agent that it starts. */

/** Stores the URL of the hub's present image. It contains a token, so it is a secret, and expires after hours. */
export async function keepDiscoveryImage(
  { id, spec }: Host,
  { deps, guard }: StepContext<Host>,
): Promise<void> {
  const hub = await deps.hubs.client(spec.hub);
  const image = await hub.agents.discoveryImage();
  await guard();
  await deps.secrets.put(secretReference.discoveryImage(id), image);
}

export const readDiscoveryImage: StepAction<Host> = {
  system: systems.hub,
  act: keepDiscoveryImage,
  deadline: minutes(60),
};

/** Makes the hub forget the agent of a server that is off. False until it has. */
export async function forgetIt({ id, spec }: Host, { deps }: StepContext<Host>): Promise<boolean> {
  const { agent } = (await refreshHost(deps, id)).status;
  if (!agent || agent.gone) return true;
  const hub = await deps.hubs.client(spec.hub);
  await hub.agents.forget(agent.name);
  return (await refreshHost(deps, id)).status.agent?.gone !== false;
}

const forget = async (host: Host, context: StepContext<Host>): Promise<void> =>
  void (await forgetIt(host, context));

function isForgotten({ status: { agent } }: Host): Outcome {
  if (!agent || agent.gone) return done;
  return pending(`the hub to forget the agent ${agent.name}`, seconds(10));
}

/**
 * Makes the hub forget the agent of a server that is off, so that only a later boot registers one. Several
 * sagas use this.
 */
export const forgetAgent: StepAction<Host> = {
  system: systems.hub,
  act: forget,
  look: forget,
  looksLater: true,
  until: isForgotten,
  deadline: minutes(60),
};
