import { hours, minutes } from "../../../core/clock.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done } from "../../../core/kernel/saga/saga.ts";
import type { Start } from "../../../core/machine/boot.ts";
import { identify, type Keep } from "../../../core/machine/identity.ts";
import { withOpen } from "../../../core/ports/bare-metal/servers.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { bootFromNetwork, isSetToNetwork } from "../machine/boot-from-network.ts";
import {
  advanced,
  awaited,
  isOnItsWay,
  type RebootRule,
  startAnew,
} from "../machine/reboot-rule.ts";
import { systems } from "../systems.ts";

/**
 * The boot of a DPU into its installer. It is restarted instead of switched off; every fourth start comes after a
 * power-off.
 */

const rule: RebootRule = { patience: minutes(30), budget: 8 };
const restarts = true;

/** Advances the boot by one phase, if the controller's state allows it. */
async function goOn(dpu: Dpu, context: StepContext<Dpu>): Promise<void> {
  const now = context.deps.clock.now();
  const boot = dpu.boot ?? startAnew(1, now, { restarts });
  if (!dpu.boot) await context.change((current) => ({ ...current, boot }));
  if (isOnItsWay(boot, rule, now)) return;
  const { id, hub, spec } = dpu;
  const keep: Keep = (known, beside) =>
    context.change(
      async (current) => ({ ...current, identity: await known(current.identity, current) }),
      beside,
    );
  const next = await withOpen(context.deps.servers, { id, hub, bmc: spec.bmc }, async (server) => {
    await identify(context.deps, server, dpu, keep, now);
    const seen = await server.observe();
    const set = () => bootFromNetwork(server, dpu, bootUse(dpu, boot, context), context);
    const source = { set, again: set, isSet: isSetToNetwork };
    return advanced(boot, { server, boot: source, restarts }, rule, { seen, now });
  });
  if (next !== boot)
    await context.change((current) => ({ ...forgetting(current, next), boot: next }));
}

/** Drops the reports of an earlier boot, which say nothing about this one. */
function forgetting({ told, ...dpu }: Dpu, next: Start): Dpu {
  return told && next.number === dpu.boot?.number ? { ...dpu, told } : dpu;
}

/** The use that a boot's token is bound to. */
const bootUse = ({ kind, id }: Dpu, { number }: Start, { operation }: Context) => ({
  machine: { kind, id },
  serves: { kind, id },
  operation: `${operation.id}#${number}`,
});

/** The report that a step waits for after the DPU's present boot. */
export interface Awaited {
  has(dpu: Dpu): boolean;
  /** The expected report, in words. */
  words: string;
}

/** The DPU's last report on the way from its firmware to its agent, in words. */
function toldLast({ told = {} }: Dpu): string {
  const { boot, address, seed, phone_home, discovery } = told;
  if (discovery) return "it has reported its discovery";
  if (phone_home) return "its cloud-init has reported";
  if (seed) return "it has asked for its seed";
  if (address) return `it has the address ${address.is}`;
  return boot ? "it has asked for its boot script" : "it has reported nothing";
}

/** A step that waits for a DPU's report, and restarts the DPU by the reboot rule. */
export const awaitingDpu = ({ has, words }: Awaited, usually: number): StepAction<Dpu> => ({
  system: systems.bareMetal,
  act: goOn,
  look: goOn,
  looksLater: true,
  until(dpu, context) {
    if (has(dpu)) return done;
    const said = { machine: "the DPU", what: words, seen: toldLast(dpu) };
    return awaited(dpu.boot, rule, said, context);
  },
  deadline: hours(6),
  usually,
});
