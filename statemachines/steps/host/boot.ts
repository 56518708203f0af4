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
 * Boots the hub's discovery image, until the hub reports the server's agent. A start can fail for reasons that the next
 * one does not have. Where several steps wait for what a boot comes to, all of them start the server again, by one count.
 */

const rule: RebootRule = { patience: minutes(30), budget: 3 };

/** Takes the boot one phase on, if what the controller says allows it. */
export async function continueBoot(before: Host, context: StepContext<Host>): Promise<void> {
  const { deps, change } = context;
  const now = deps.clock.now();
  const host = serverOf(before).boot
    ? before
    : await change((current) => withServer(current, { boot: startAnew(1, now, {}) }));
  const { boot } = serverOf(host);
  if (!boot || isReported(host) || isOnItsWay(boot, rule, now)) return;
  // What the hub has not told yet is no reason for another start.
  if (boot.phase === "booting" && isReported(await refreshHost(deps, host.id))) return;
  const source = await bootSourceOf(host, context);
  const next = await onServer(host, context, async (server) => {
    const seen = await server.observe();
    const forgetEarlier = () => forgetIt(host, context);
    const machine = { server, boot: source(server, host, context), forgetEarlier };
    return advanced(boot, machine, rule, { seen, now });
  });
  if (next === boot) return;
  // The URL of an image is good for some hours alone.
  if (next.number > boot.number) await keepDiscoveryImage(host, context);
  await change((current) => withServer(current, { boot: next }));
}

/** Whether the server's agent has reported since it was forgotten, which is before each start. */
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

/** Whether the server runs, whatever it boots. */
function isOn(host: Host, context: Context): Outcome {
  const { boot } = serverOf(host);
  // The hub may have its agent before its controller has reported that it is on.
  if (boot?.phase === "booting" || isReported(host)) return done;
  return awaitedOfBoot(host, context, { what: "the server to boot", seen: "it does not" });
}

/**
 * What is waited for of a boot, in words. Throws Rejected once the server has been started often enough; one whose agent
 * has reported is not started again, so the deadline of the step ends the wait.
 */
export function awaitedOfBoot(
  host: Host,
  context: Context,
  said: { what: string; seen: string },
): Outcome {
  if (isReported(host)) return pending(said.what, minutes(1));
  return awaited(serverOf(host).boot, rule, { machine: "the server", ...said }, context);
}

/** A step that starts the server, again where it has to, until something is so. */
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

/** Starts the server, until it runs. What it then comes to on the network of free hosts, has steps of its own. */
export const bootFromAdminNetwork = startingUntil(isOn, minutes(1));
