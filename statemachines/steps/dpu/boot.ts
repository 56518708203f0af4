import { hours, inMinutes, minutes, timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import type { BareMetalServer } from "../../../core/ports/bare-metal/server.ts";
import { withOpen } from "../../../core/ports/bare-metal/servers.ts";
import type { Dpu, DpuBoot } from "../../../core/resources/dpu/model.ts";
import { ofControllers } from "../host/server.ts";
import { bootFromNetwork } from "../machine/boot-from-network.ts";
import { pause } from "../pace.ts";
import { systems } from "../systems.ts";

/**
 * The boot of a DPU into its installer, and the rule by which it is booted again: a DPU that has not told what a step
 * waits for is restarted, every fourth time by switching its power off and on, and after the last time a person has to look.
 */

/** How long a boot may take until the DPU's agent has reported. */
const patience = minutes(30);
/** How often it is started in all. */
const budget = 8;
/** Each of so many starts is one from power off. */
const fromOff = 4;
/** How long a phase may stand still before it begins anew. */
const standstill = minutes(10);

const firstPhase = (number: number): DpuBoot["phase"] =>
  number % fromOff === 0 ? "switching_off" : "setting";

const enter = (now: number, number: number, phase = firstPhase(number)): DpuBoot => ({
  ...{ number, phase },
  at: timestamp(now),
});

/** Takes the boot one phase on, if what the controller says allows it. */
async function goOn(dpu: Dpu, context: StepContext<Dpu>): Promise<void> {
  const now = context.deps.clock.now();
  const boot = dpu.boot ?? enter(now, 1);
  if (!dpu.boot) await context.change((current) => ({ ...current, boot }));
  if (boot.phase === "booting" && now - Date.parse(boot.at) <= patience) return;
  const { id, hub, spec } = dpu;
  const next = await withOpen(context.deps.servers, { id, hub, bmc: spec.bmc }, (server) =>
    advanced(server, dpu, boot, context),
  );
  if (!next) return;
  await context.change((current) => ({ ...forgetting(current, next), boot: next }));
}

/** What an earlier boot has told is no sign of this one. */
function forgetting({ told, ...dpu }: Dpu, next: DpuBoot): Dpu {
  return told && next.number === dpu.boot?.number ? { ...dpu, told } : dpu;
}

/** The boot after what can be done now; undefined while it waits. */
async function advanced(
  server: BareMetalServer,
  dpu: Dpu,
  { number, phase, at }: DpuBoot,
  context: StepContext<Dpu>,
): Promise<DpuBoot | undefined> {
  const now = context.deps.clock.now();
  const isStill = now - Date.parse(at) > standstill;
  const anew = () => (isStill ? enter(now, number) : undefined);
  const seen = await server.observe();
  switch (phase) {
    case "switching_off": {
      if (seen.power === "off") return enter(now, number, "setting");
      await server.powerOff("forced");
      return undefined;
    }
    case "setting": {
      if (seen.nextBoot?.from !== "http" || isStill)
        await bootFromNetwork(server, dpu, bootUse(dpu, number, context), context);
      if ((await server.observe()).nextBoot?.from !== "http") return undefined;
      if (seen.power !== "off") await server.powerCycle();
      return enter(now, number, "starting");
    }
    case "starting": {
      if (seen.power === "on") return enter(now, number, "booting");
      if (seen.power === "off") await server.powerOn();
      return anew();
    }
    case "booting":
      return number < budget ? enter(now, number + 1) : undefined;
  }
}

/** What a boot's token is for. */
const bootUse = ({ kind, id }: Dpu, number: number, { operation }: Context) => ({
  machine: { kind, id },
  serves: { kind, id },
  operation: `${operation.id}#${number}`,
});

/** What a step waits for: that the DPU has told it since its present boot. */
export interface Awaited {
  has(dpu: Dpu): boolean;
  /** What is expected, in words. */
  words: string;
}

/** The words for what a DPU has told last, on its way from its firmware to its agent. */
function toldLast({ told = {} }: Dpu): string {
  const { boot, address, seed, phone_home, discovery } = told;
  if (discovery) return "it has reported its discovery";
  if (phone_home) return "its cloud-init has told that it has run";
  if (seed) return "it has asked for its seed";
  if (address) return `it has the address ${address.is}`;
  return boot ? "it has asked for its boot script" : "it has told nothing";
}

const until =
  ({ has, words }: Awaited) =>
  (dpu: Dpu, context: Context): Outcome => {
    if (has(dpu)) return done;
    const { number = 1, phase = "setting", at } = dpu.boot ?? {};
    const waited = at === undefined ? 0 : context.deps.clock.now() - Date.parse(at);
    if (phase === "booting" && number >= budget && waited > patience)
      throw new AppError(
        "Rejected",
        `expected ${words} within ${inMinutes(patience)} of a start; after ${budget} starts, ${toldLast(dpu)}`,
      );
    const what = {
      switching_off: "the DPU to be off",
      setting: "its controller to have it boot from the network",
      starting: "the DPU to be on",
      booting: words,
    }[phase];
    const tries = number > 1 ? ` (start ${number} of ${budget})` : "";
    return pending(`${what}${tries}`, pause(context, ofControllers));
  };

/** A step that waits for what the DPU tells, and boots it again by the rule. */
export const awaiting = (awaited: Awaited, usually: number): Action<Dpu> => ({
  system: systems.bareMetal,
  act: goOn,
  look: goOn,
  looksLater: true,
  until: until(awaited),
  deadline: hours(6),
  usually,
});
