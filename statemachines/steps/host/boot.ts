import { hours, minutes } from "../../../core/clock.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { refreshHost } from "../../../core/reconcile/refresh-agents.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { serverOf, withServer } from "../../../core/resources/host/server.ts";
import {
  advanced,
  awaited,
  isOnItsWay,
  type RebootRule,
  startAnew,
} from "../machine/reboot-rule.ts";
import { systems } from "../systems.ts";
import { forgetIt, keepDiscoveryImage } from "./agent.ts";
import { bootSourceOf } from "./boot-source.ts";
import { onServer } from "./server.ts";

/**
 * Boots the hub's discovery image until the hub reports the server's agent. A failed start may succeed when
 * repeated. Steps that wait for different results of one boot share the count of its starts.
 */

const rule: RebootRule = { patience: minutes(30), budget: 3 };

/** Advances the boot by one phase, if the controller's state allows it. */
export async function continueBoot(before: Host, context: StepContext<Host>): Promise<void> {
  const { deps, change } = context;
  const now = deps.clock.now();
  const host = serverOf(before).boot
    ? before
    : await change((current) => withServer(current, { boot: startAnew(1, now, {}) }));
  const { boot } = serverOf(host);
  if (!boot || isReported(host) || isOnItsWay(boot, rule, now)) return;
  // The agent has reported already, so a late report of the hub causes no other start.
  if (boot.phase === "booting" && isReported(await refreshHost(deps, host.id))) return;
  const source = await bootSourceOf(host, context);
  const next = await onServer(host, context, async (server) => {
    const seen = await server.observe();
    const forgetEarlier = () => forgetIt(host, context);
    const machine = { server, boot: source(server, host, context), forgetEarlier };
    return advanced(boot, machine, rule, { seen, now });
  });
  if (next === boot) return;
  // The URL of an image is valid for hours only, so each start gets a new one.
  if (next.number > boot.number) await keepDiscoveryImage(host, context);
  await change((current) => withServer(current, { boot: next }));
}

/** Whether the server's agent has reported since the last start, before which the hub forgot it. */
function isReported(host: Host): boolean {
  const { number = 1, phase = "switching_off" } = serverOf(host).boot ?? {};
  const isForgotten = number === 1 || !["switching_off", "resting"].includes(phase);
  return isForgotten && host.status.agent?.gone === false;
}

function isDiscovered(host: Host, context: Context): Outcome {
  const { agent } = host.status;
  // An agent that is still validating itself is not ready to be checked.
  if (agent && isReported(host)) {
    if (agent.state === "known-unbound") return done;
    return pending(`the agent to be ready; it is ${agent.state}`, rule.patience);
  }
  const what = `an agent with the host's MAC addresses on the hub ${host.spec.hub}`;
  return awaitedOfBoot(host, context, { what, seen: "none has reported" });
}

/** Whether the server is on, whatever it boots. */
function isOn(host: Host, context: Context): Outcome {
  const { boot } = serverOf(host);
  // The hub may report the agent before the controller reports the server on.
  if (boot?.phase === "booting" || isReported(host)) return done;
  return awaitedOfBoot(host, context, { what: "the server to boot", seen: "it does not" });
}

/**
 * What the step waits for, in words. Throws Rejected after the last start. A server whose agent has reported is
 * not started again, so the step's deadline ends the wait.
 */
export function awaitedOfBoot(
  host: Host,
  context: Context,
  said: { what: string; seen: string },
): Outcome {
  if (isReported(host)) return pending(said.what, minutes(1));
  return awaited(serverOf(host).boot, rule, { machine: "the server", ...said }, context);
}

/** A step that starts the server, repeatedly if necessary, until a condition holds. */
export const startingUntil = (
  until: NonNullable<StepAction<Host>["until"]>,
  usually: number,
): StepAction<Host> => ({
  system: systems.bareMetal,
  act: continueBoot,
  look: continueBoot,
  looksLater: true,
  until,
  deadline: hours(3),
  usually,
});

/** Starts the server, until the agent of the discovery image has reported. */
export const bootDiscoveryImage = startingUntil(isDiscovered, minutes(10));

/**
 * Starts the server until it is on. Later steps wait for the result of the boot on the network of free hosts.
 */
export const bootFromAdminNetwork = startingUntil(isOn, minutes(1));
