import { hours, minutes, seconds, timestamp } from "../../../core/clock.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { entryOf } from "../../../core/kernel/saga/entry.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { AnotherServer } from "../../../core/machine/identity.ts";
import { revokeToken } from "../../../core/machine/tokens.ts";
import { refreshHost } from "../../../core/reconcile/refresh-agents.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { ofControllers, pause } from "../pace.ts";
import { systems } from "../systems.ts";
import { hostOf, mustHaveHost, type OnServer, onServerOf } from "./target.ts";

/** The power of an object's server, and the agent that ran on it before the order. */

/** How long a system may take to shut down until its power is cut. */
const shutdown = minutes(5);

/** Switches the server off, and records what its controller reports. */
async function switchOff(
  target: OnServer,
  context: StepContext<OnServer>,
  how: "graceful" | "forced",
): Promise<void> {
  const { deps, change, operation, step } = context;
  const host = await hostOf(deps, target);
  if (!host) return;
  const { state } = await onServerOf(deps, host, async (server) => {
    await server.powerOff(how);
    // A later start must not find this image in the drive.
    if (how === "forced") await server.ejectMedia();
    return { state: (await server.observe()).power };
  });
  const power = { state, at: timestamp(deps.clock.now()), operation: operation.id, step };
  await change((current) => ({ ...current, power }));
}

function isOff({ power, placement }: OnServer, context: Context): Outcome {
  if (!placement) return done;
  const isSeen = power?.operation === context.operation.id && power.step === context.step;
  if (isSeen && power.state === "off") return done;
  const said = isSeen ? `; the controller says that it is ${power.state}` : "";
  return pending(`the power to be off${said}`, pause(context, ofControllers));
}

const cut = (target: OnServer, context: StepContext<OnServer>) =>
  switchOff(target, context, "forced");

/** Cuts the power of the server. */
export const powerOffServer: StepAction<OnServer> = {
  system: systems.bareMetal,
  act: cut,
  look: cut,
  looksLater: true,
  until: isOff,
  deadline: minutes(30),
  usually: minutes(1),
};

/** How long a controller may be unreachable before the server is released as it is. */
const patience = minutes(20);
/** The same time limit when an administrator removes the server by force. */
const forcedPatience = minutes(1);

const isGivenUp = ({ forced }: OnServer, context: Context): boolean =>
  forced?.is_off === true || waitedIn(context) > (forced ? forcedPatience : patience);

/** How long the step has run, in milliseconds. */
function waitedIn({ deps, operation, step }: Context): number {
  const { start_time: since } = entryOf(operation, step);
  return since === undefined ? 0 : deps.clock.now() - Date.parse(since);
}

async function end(target: OnServer, context: StepContext<OnServer>): Promise<void> {
  const { kind, id } = target;
  const { deps, fence } = context;
  const host = await hostOf(deps, target);
  if (host) await revokeToken(deps, { kind: "host", id: host.id }, { kind, id }, fence);
  // Calls to an unreachable controller would use up the worker's time.
  if (!isGivenUp(target, context)) return cutUnlessAnother(target, context);
  deps.log.warn({ host: host?.id }, "a server that cannot be switched off is released");
}

/** Cuts the power, unless another server answers at the controller: that one is not switched off. */
async function cutUnlessAnother(target: OnServer, context: StepContext<OnServer>): Promise<void> {
  const { deps, change, operation, step } = context;
  try {
    await cut(target, context);
  } catch (error) {
    if (!(error instanceof AnotherServer)) throw error;
    const at = timestamp(deps.clock.now());
    const power = {
      state: "unknown",
      at,
      operation: operation.id,
      step,
      is_another: true,
    } as const;
    await change((current) => ({ ...current, power }));
  }
}

/**
 * Whether the step has found another server at the controller; then the host is quarantined, and detached
 * without a power-off.
 */
const isAnother = ({ power }: OnServer, { operation, step }: Context): boolean =>
  power?.is_another === true && power.operation === operation.id && power.step === step;

/**
 * Cuts the power of the server, after the token of its boot has ended. If its controller does not do that in
 * time, the server is released as it is: its ports leave the networks next, and its cleaning quarantines it.
 */
export const cutOffServer: StepAction<OnServer> = {
  ...powerOffServer,
  act: end,
  look: end,
  until: (target, context) =>
    isGivenUp(target, context) || isAnother(target, context) ? done : isOff(target, context),
  deadline: hours(24),
};

async function shutDown(target: OnServer, context: StepContext<OnServer>): Promise<void> {
  const how = waitedIn(context) > shutdown ? "forced" : "graceful";
  await switchOff(target, context, how);
}

/** Asks the system on the server to shut down, and cuts the power when it does not in time. */
export const stopServer: StepAction<OnServer> = {
  ...powerOffServer,
  act: shutDown,
  look: shutDown,
  usually: minutes(2),
};

async function forget(target: OnServer, { deps }: StepContext<OnServer>): Promise<void> {
  const { id } = await mustHaveHost(deps, target);
  const { agent, spec } = agentOf(await refreshHost(deps, id));
  if (!agent) return;
  const hub = await deps.hubs.client(spec.hub);
  await hub.agents.forget(agent.name);
  await refreshHost(deps, id);
}

const agentOf = ({ status: { agent }, spec }: Host) => ({
  ...(agent && !agent.gone && { agent }),
  spec,
});

async function isForgotten(target: OnServer, { deps }: Context): Promise<Outcome> {
  const host = await hostOf(deps, target);
  const agent = host && agentOf(host).agent;
  return agent ? pending(`the hub to forget the agent ${agent.name}`, seconds(10)) : done;
}

/** Makes the hub forget the agent of a server that is off, because the server has left the hub's pool. */
export const leavePool: StepAction<OnServer> = {
  system: systems.hub,
  act: forget,
  look: forget,
  looksLater: true,
  until: isForgotten,
  deadline: minutes(60),
};
