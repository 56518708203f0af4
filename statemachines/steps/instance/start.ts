import { inMinutes, minutes, timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import type { BareMetalServer } from "../../../core/ports/bare-metal/server.ts";
import type { Start } from "../../../core/resources/machine/boot.ts";
import { ofControllers } from "../host/server.ts";
import { bootFromNetwork } from "../machine/boot-from-network.ts";
import { pause } from "../pace.ts";
import { mustHaveHost, type OnServer, onServerOf } from "./target.ts";

/**
 * Starts a server again and again until it has come to where it should, by the rule for servers that do not:
 * a forced restart each time, and each fourth time a while without power, a budget of starts, and then a
 * failure that says what was expected and what was seen.
 */

/** How long a start may take until the server asks for what it is to boot, and until the system reports. */
export const patience = { asked: minutes(20), phoned: minutes(45) };
/** How often the server is started in all. */
const budget = 6;
/** Each so many starts, the server stays off for so long before. */
const rest = { every: 4, takes: minutes(2) };
/** How long a phase may stand still before the server is started anew. */
const standstill = minutes(10);
/** How long a system that is restarted may take to shut down. */
const shutdown = minutes(3);

/** What a step waits for a start to come to. */
export interface Goal {
  from: Start["from"];
  patience: number;
  isReached(target: OnServer): boolean;
}

/** Takes the start one phase on, if what the controller says allows it. */
export async function goOn(before: OnServer, context: StepContext<OnServer>, goal: Goal) {
  const { deps, change, operation } = context;
  const now = timestamp(deps.clock.now());
  const isOurs = before.boot?.operation === operation.id;
  const first: Start = {
    ...{ operation: operation.id, number: 1, from: goal.from },
    ...{ phase: "switching_off", at: now },
  };
  const target = isOurs ? before : await change((current) => ({ ...current, boot: first }));
  const { boot } = target;
  if (!boot || goal.isReached(target)) return;
  const host = await mustHaveHost(deps, target);
  const next = await onServerOf(deps, host, async (server) => {
    const set = () => setBoot(server, target, boot, context);
    return advanced(server, boot, { now: deps.clock.now(), patience: goal.patience, set });
  });
  if (next === boot) return;
  await change((current) => {
    // What the server has asked for meanwhile counts, unless it is started anew.
    const { asked, seeded } = current.boot ?? {};
    const said = { ...(asked !== undefined && { asked }), ...(seeded !== undefined && { seeded }) };
    const isSame = next.since !== undefined && current.boot?.since === next.since;
    return { ...current, boot: { ...next, ...(isSame && said) } };
  });
}

interface Advance {
  now: number;
  patience: number;
  /** Has the next boot come from where it should; false while the controller has not taken that. */
  set(): Promise<boolean>;
}

/** The start after what can be done now; the same while it waits. */
async function advanced(
  server: BareMetalServer,
  boot: Start,
  { now, patience, set }: Advance,
): Promise<Start> {
  const waited = now - Date.parse(boot.at);
  const seen = await server.observe();
  const { power } = seen;
  const known: Start = boot.power === power ? boot : { ...boot, power };
  const enter = (phase: Start["phase"], number = boot.number): Start => {
    const { asked: _, seeded: __, since, ...start } = known;
    const at = timestamp(now);
    if (phase === "switching_on") return { ...start, number, phase, at, since: at };
    const isOn = phase === "booting" && since !== undefined;
    return { ...start, number, phase, at, ...(isOn && { since }) };
  };
  const again = () => (boot.number < budget ? enter("switching_off", boot.number + 1) : known);
  switch (boot.phase) {
    case "switching_off": {
      if (power !== "off") {
        const isAsked = boot.from === "disk" && boot.number === 1 && waited < shutdown;
        await server.powerOff(isAsked ? "graceful" : "forced");
        return known;
      }
      return enter(boot.number % rest.every === 0 ? "resting" : "switching_on");
    }
    case "resting":
      return waited < rest.takes ? known : enter("switching_on");
    case "switching_on": {
      if (power === "on") return enter("booting");
      if (power === "off" && (await set())) await server.powerOn();
      return waited > standstill ? again() : known;
    }
    case "booting":
      return waited > patience ? again() : known;
  }
}

async function setBoot(
  server: BareMetalServer,
  { kind, id, placement }: OnServer,
  { from }: Start,
  context: StepContext<OnServer>,
): Promise<boolean> {
  await server.ejectMedia();
  if (from === "disk") {
    await server.bootOnce({ from });
    const { nextBoot } = await server.observe();
    return !nextBoot || nextBoot.from === "disk";
  }
  const host = await mustHaveHost(context.deps, { ...(placement && { placement }) });
  const machine = { kind: "host", id: host.id } as const;
  const use = { machine, serves: { kind, id }, operation: context.operation.id };
  await bootFromNetwork(server, host.spec, use, context);
  return (await server.observe()).nextBoot?.from === "http";
}

/** What is waited for, in words. Throws Rejected once the budget is spent. */
export function awaiting(
  { boot }: OnServer,
  context: Context,
  { what, patience }: { what: string; patience: number },
): Outcome {
  const again = pause(context, ofControllers);
  if (boot?.operation !== context.operation.id)
    return pending("the server to be switched off", again);
  const waited = context.deps.clock.now() - Date.parse(boot.at);
  const most = boot.phase === "booting" ? patience : standstill;
  if (boot.number >= budget && boot.phase !== "resting" && waited > most)
    throw new AppError(
      "Rejected",
      `expected ${what} within ${inMinutes(patience)} of a start; ${seenOf(boot)} after ${budget} starts`,
    );
  const words = {
    switching_off: "the server to be off",
    resting: "the server to have been off for a while",
    switching_on: "the server to be on",
    booting: what,
  }[boot.phase];
  const tries = boot.number > 1 ? ` (start ${boot.number} of ${budget})` : "";
  return pending(`${words}${tries}`, again);
}

/** What was seen of the last start. */
function seenOf({ asked, seeded, power = "unknown" }: Start): string {
  if (seeded !== undefined) return `it read its seed at ${seeded} and said nothing more`;
  if (asked !== undefined) return `it asked what to boot at ${asked} and said nothing more`;
  return `it asked for nothing, and its controller says that it is ${power}`;
}
