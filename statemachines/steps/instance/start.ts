import { minutes, timeText } from "../../../core/clock.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import type { ServerStart } from "../../../core/machine/boot.ts";
import type { BareMetalServer, ServerObservation } from "../../../core/ports/bare-metal/server.ts";
import { bootFromNetwork, isSetToNetwork } from "../machine/boot-from-network.ts";
import {
  advanced,
  awaited,
  type BootSource,
  isOnItsWay,
  startAnew,
} from "../machine/reboot-rule.ts";
import { ofControllers, pause } from "../pace.ts";
import { mustHaveHost, type OnServer, onServerOf } from "./target.ts";

/** Starts an object's server, and repeats that by the reboot rule until the goal of the step is reached. */

/** How long a start may take until the server requests its boot, and until its system reports. */
export const patience = { asked: minutes(20), phoned: minutes(45) };
/** The number of starts in all. */
const budget = 6;
/** The time limit for a graceful shutdown before a restart. */
const shutdown = minutes(3);

/** The goal of a start. */
export interface Goal {
  from: ServerStart["from"];
  patience: number;
  isReached(target: OnServer): boolean;
}

/** Advances the start by one phase, if the controller's state allows it. */
export async function goOn(before: OnServer, context: StepContext<OnServer>, goal: Goal) {
  const { deps, change, operation } = context;
  const now = deps.clock.now();
  const isOurs = before.boot?.operation === operation.id;
  const first: ServerStart = {
    ...startAnew(1, now, {}),
    ...{ operation: operation.id, from: goal.from },
  };
  const target = isOurs ? before : await change((current) => ({ ...current, boot: first }));
  const { boot } = target;
  const rule = { patience: goal.patience, budget };
  if (!boot || goal.isReached(target) || isOnItsWay(boot, rule, now)) return;
  const host = await mustHaveHost(deps, target);
  const next = await onServerOf(deps, host, async (server): Promise<ServerStart> => {
    const seen = await server.observe();
    const source = sourceOf(server, target, boot, context);
    const machine = { server, boot: source, ...(boot.from === "disk" && { shutdown }) };
    const start = await advanced(boot, machine, rule, { seen, now });
    const known = boot.power === seen.power ? boot : { ...boot, power: seen.power };
    if (start === boot) return known;
    const { operation, from, power } = known;
    return { ...start, operation, from, ...(power !== undefined && { power }) };
  });
  if (next === boot) return;
  await change((current) => {
    // Requests that the server made meanwhile count, unless it is started again.
    const { asked, seeded } = current.boot ?? {};
    const said = { ...(asked !== undefined && { asked }), ...(seeded !== undefined && { seeded }) };
    const isSame = next.since !== undefined && current.boot?.since === next.since;
    return { ...current, boot: { ...next, ...(isSame && said) } };
  });
}

function sourceOf(
  server: BareMetalServer,
  { kind, id, placement }: OnServer,
  { from }: ServerStart,
  context: StepContext<OnServer>,
): BootSource {
  const fromDisk = async () => {
    await server.ejectMedia();
    await server.bootOnce({ from: "disk" });
  };
  const isSet = ({ nextBoot }: ServerObservation) => !nextBoot || nextBoot.from === "disk";
  if (from === "disk") return { set: fromDisk, again: fromDisk, isSet };
  const fromNetwork = async () => {
    await server.ejectMedia();
    const host = await mustHaveHost(context.deps, { ...(placement && { placement }) });
    const machine = { kind: "host", id: host.id } as const;
    const use = { machine, serves: { kind, id }, operation: context.operation.id };
    await bootFromNetwork(server, host.spec, use, context);
  };
  return { set: fromNetwork, again: fromNetwork, isSet: isSetToNetwork };
}

/** What the step waits for, in words. Throws Rejected after the last start. */
export function awaiting(
  { boot }: OnServer,
  context: Context,
  { what, patience }: { what: string; patience: number },
): Outcome {
  if (boot?.operation !== context.operation.id)
    return pending("the server to be switched off", pause(context, ofControllers));
  const said = { machine: "the server", what, seen: seenOf(boot) };
  return awaited(boot, { patience, budget }, said, context);
}

/** The last start as observed, in words. */
function seenOf({ asked, seeded, power = "unknown" }: ServerStart): string {
  if (seeded !== undefined) return `it read its seed at ${timeText(seeded)} and said nothing more`;
  if (asked !== undefined)
    return `it asked what to boot at ${timeText(asked)} and said nothing more`;
  return `it asked for nothing, and its controller says that it is ${power}`;
}
