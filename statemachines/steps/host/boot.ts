import { hours, inMinutes, minutes, timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import type { BareMetalServer } from "../../../core/ports/bare-metal/server.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { type Boot, serverOf, withServer } from "../../../core/resources/host/server.ts";
import { pause } from "../pace.ts";
import { systems } from "../systems.ts";
import { keepDiscoveryImage } from "./agent.ts";
import { type BootSource, fromMedia, fromNetwork } from "./boot-source.ts";
import { ofControllers, onServer } from "./server.ts";

/**
 * Boots the hub's discovery image, until the hub reports the server's agent. A server that is silent for
 * too long is booted again, a few times: a start can fail for reasons that the next one does not have.
 */

/** How long a boot may take until the agent reports. */
const patience = minutes(30);
/** How often the server is started in all. */
const budget = 3;
/** How long a phase may stand still before it begins anew. */
const standstill = minutes(10);

const first = (now: number): Boot => ({
  number: 1,
  phase: "switching_off",
  at: timestamp(now),
});

/** Takes the boot one phase on, if what the controller says allows it. */
async function goOn(before: Host, context: StepContext<Host>, source: BootSource): Promise<void> {
  const { deps, change } = context;
  const now = deps.clock.now();
  const known = serverOf(before).boot;
  const host = known
    ? before
    : await change((current) => withServer(current, { boot: first(now) }));
  const { boot } = serverOf(host);
  if (!boot || isReported(host)) return;
  const next = await onServer(host, context, (server) =>
    advanced(server, host, boot, { ...context, source }),
  );
  if (next) await change((current) => withServer(current, { boot: next }));
}

/** The boot after what can be done now; undefined while it waits. */
async function advanced(
  server: BareMetalServer,
  host: Host,
  boot: Boot,
  { source, ...context }: StepContext<Host> & { source: BootSource },
): Promise<Boot | undefined> {
  const now = context.deps.clock.now();
  const waited = now - Date.parse(boot.at);
  const enter = (phase: Boot["phase"], number = boot.number): Boot => ({
    number,
    phase,
    at: timestamp(now),
  });
  const seen = await server.observe();
  switch (boot.phase) {
    case "switching_off": {
      if (seen.power !== "off") {
        await server.powerOff("forced");
        return undefined;
      }
      if (boot.number > 1) await keepDiscoveryImage(host, context);
      await source.set(server, host, context);
      return enter("switching_on");
    }
    case "switching_on": {
      if (seen.power === "on") return enter("booting");
      if (seen.power === "off") {
        if (source.isSet(seen)) await server.powerOn();
        else await source.again(server, host, context, seen);
      }
      return waited > standstill ? enter("switching_off") : undefined;
    }
    case "booting": {
      if (waited <= patience) return undefined;
      return boot.number < budget ? enter("switching_off", boot.number + 1) : undefined;
    }
  }
}

/** Whether the server's agent has reported since it was forgotten. */
const isReported = ({ status: { agent } }: Host): boolean => agent?.gone === false;

function isDiscovered(host: Host, context: Context): Outcome {
  const { boot } = serverOf(host);
  const { agent } = host.status;
  // An agent that is still validating itself is not ready to be checked.
  if (agent && isReported(host)) {
    if (agent.state === "known-unbound") return done;
    return pending(`the agent to be ready; it is ${agent.state}`, patience);
  }
  if (!boot) return pending("the server to be switched off", pause(context, ofControllers));
  const waited = context.deps.clock.now() - Date.parse(boot.at);
  if (boot.phase === "booting" && boot.number >= budget && waited > patience)
    throw new AppError(
      "Rejected",
      `expected an agent with the host's MAC addresses on the hub ${host.spec.hub} within ${inMinutes(patience)} of a start; none reported after ${budget} starts`,
    );
  const words = {
    switching_off: "the server to be off",
    switching_on: "the server to be on",
    booting: "the agent of the discovery image to report",
  }[boot.phase];
  const tries = boot.number > 1 ? ` (start ${boot.number} of ${budget})` : "";
  return pending(`${words}${tries}`, pause(context, ofControllers));
}

const booting = (source: BootSource): Action<Host> => ({
  system: systems.bareMetal,
  act: (host, context) => goOn(host, context, source),
  look: (host, context) => goOn(host, context, source),
  looksLater: true,
  until: isDiscovered,
  deadline: hours(3),
  usually: minutes(10),
});

export const bootDiscoveryImage = booting(fromMedia);

/** The same by the network of hosts that nobody has, on which the DPUs of the host have it. */
export const bootFromAdminNetwork = booting(fromNetwork);
