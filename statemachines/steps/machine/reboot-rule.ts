import { inMinutes, minutes, timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Context } from "../../../core/kernel/saga/context.ts";
import { type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import type { Start } from "../../../core/machine/boot.ts";
import type { BareMetalServer, ServerObservation } from "../../../core/ports/bare-metal/server.ts";
import { ofControllers, pause } from "../pace.ts";

/**
 * The rule for repeating the start of a machine that does not reach its goal: a time limit for each start, and
 * a number of starts, after which operator action is required. Before every fourth start the machine stays off
 * for a while.
 */
export interface RebootRule {
  /** How long a start may take, in milliseconds, once the machine is on. */
  patience: number;
  /** The number of starts in all. */
  budget: number;
}

const rest = { every: 4, takes: minutes(2) };
/** The time limit of each phase before the boot; when it is exceeded, the start has failed. */
const standstill = minutes(10);

/** Where a machine boots from. */
export interface BootSource {
  /** Sets the boot source at the controller, once for each start. */
  set(): Promise<void>;
  /** Whether the controller shows the boot source. */
  isSet(seen: ServerObservation): boolean;
  /** Sets the boot source again if the controller does not show it. */
  again(seen: ServerObservation): Promise<void>;
}

/** How the machine is started. */
export interface Startable {
  server: Pick<BareMetalServer, "powerOn" | "powerOff" | "powerCycle">;
  boot: BootSource;
  /** Whether a machine that is on is restarted, except when it has to stay off for a while. */
  restarts?: boolean;
  /** Removes the results of an earlier start, which say nothing about this one; false until removed. */
  forgetEarlier?(): Promise<boolean>;
  /** How long the running system may take to shut down gracefully, before the first start. */
  shutdown?: number;
}

const rests = (number: number): boolean => number % rest.every === 0;

/** The start with this number, in its first phase. */
export const startAnew = (
  number: number,
  now: number,
  { restarts = false }: Pick<Startable, "restarts">,
): Start => {
  const at = timestamp(now);
  const isRestart = restarts && !rests(number);
  return { number, phase: isRestart ? "setting" : "switching_off", at };
};

/** Whether only the machine's report is missing. */
export const isOnItsWay = ({ phase, at }: Start, { patience }: RebootRule, now: number): boolean =>
  phase === "booting" && now - Date.parse(at) <= patience;

/** The start after the next change that the controller's state allows; unchanged while it waits. */
export async function advanced(
  start: Start,
  machine: Startable,
  rule: RebootRule,
  { seen, now }: { seen: ServerObservation; now: number },
): Promise<Start> {
  const { number, phase, at } = start;
  const waited = now - Date.parse(at);
  const enter = (next: Start["phase"]): Start => entered(start, next, timestamp(now));
  const isLate = waited > (phase === "booting" ? rule.patience : standstill);
  const wait = () => (isLate && number < rule.budget ? startAnew(number + 1, now, machine) : start);
  const { server, boot } = machine;
  const set = async () => {
    if (number > 1 && (await machine.forgetEarlier?.()) === false) return wait();
    await boot.set();
    return enter("setting");
  };
  switch (phase) {
    case "switching_off": {
      if (seen.power === "off") return rests(number) ? enter("resting") : set();
      const isAsked = number === 1 && waited < (machine.shutdown ?? 0);
      await server.powerOff(isAsked ? "graceful" : "forced");
      return wait();
    }
    case "resting":
      return waited < rest.takes ? start : set();
    case "setting": {
      const restarts = machine.restarts && !rests(number);
      // Somebody else has switched the machine on.
      if (seen.power === "on" && !restarts) return enter("switching_off");
      if (seen.power !== "off" && !restarts) return wait();
      if (!boot.isSet(seen)) {
        await boot.again(seen);
        return wait();
      }
      await (seen.power === "off" ? server.powerOn() : server.powerCycle());
      return enter("switching_on");
    }
    case "switching_on": {
      if (seen.power === "on") return enter("booting");
      if (seen.power === "off") await server.powerOn();
      return wait();
    }
    case "booting":
      return wait();
  }
}

function entered({ number, since }: Start, phase: Start["phase"], at: string): Start {
  if (phase === "setting") return { number, phase, at, since: at };
  const isOn = phase === "switching_on" || phase === "booting";
  return { number, phase, at, ...(isOn && since !== undefined && { since }) };
}

interface Awaited {
  /** The machine, and its goal, in words. */
  machine: string;
  what: string;
  /** What was observed instead of the goal, in words. */
  seen: string;
}

/** What the step waits for, in words. Throws Rejected, with the observations, after the last start. */
export function awaited(
  start: Start | undefined,
  { patience, budget }: RebootRule,
  { machine, what, seen }: Awaited,
  context: Context,
): Outcome {
  const again = pause(context, ofControllers);
  if (!start) return pending(`${machine} to be started`, again);
  const { number, phase, at } = start;
  const words = {
    switching_off: `${machine} to be off`,
    resting: `${machine} to have been off for a while`,
    setting: `the controller to say where ${machine} boots from next`,
    switching_on: `${machine} to be on`,
    booting: what,
  }[phase];
  const waited = context.deps.clock.now() - Date.parse(at);
  const isLate = waited > (phase === "booting" ? patience : standstill);
  if (isLate && number >= budget && phase !== "resting")
    throw new AppError(
      "Rejected",
      phase === "booting"
        ? `expected ${what} within ${inMinutes(patience)} of a start; after ${budget} starts, ${seen}`
        : `expected ${words} within ${inMinutes(standstill)}; it was not so in ${budget} starts`,
    );
  const tries = number > 1 ? ` (start ${number} of ${budget})` : "";
  return pending(`${words}${tries}`, again);
}
