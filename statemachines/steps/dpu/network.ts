import { minutes, seconds } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { claimNumbers, usageOf } from "../../../core/ports/ipam/own/numbers.ts";
import {
  leafHolder,
  leafNumbers,
  leafOf,
  leafPool,
  leafWords,
} from "../../../core/resources/dpu/leaf.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import {
  adminNetwork,
  appliedInWords,
  hasApplied,
  wanting,
} from "../../../core/resources/dpu/network.ts";
import { machinesAt, needed } from "../machine/site.ts";
import { systems } from "../systems.ts";
import { standAgain } from "./overlay.ts";
import { refuseAway } from "./refuse-away.ts";

/** The network of a DPU: requested as a version, and reported by the DPU once applied. */

/** DPUs report by themselves; this check is for lost reports. */
const ownLook = minutes(1);

function untilApplied(dpu: Dpu): Outcome {
  if (hasApplied(dpu)) return done;
  const { version } = dpu.wanted ?? { version: 1 };
  return pending(
    `the DPU to apply version ${version} of its network; ${appliedInWords(dpu)}`,
    ownLook,
  );
}

async function claim(dpu: Dpu, context: StepContext<Dpu>): Promise<void> {
  const { deps, fence } = context;
  const here = await machinesAt(deps, dpu);
  for (const use of leafNumbers) {
    const pool = leafPool(here.site, use);
    if (!pool)
      throw new AppError(
        "Rejected",
        `expected ${leafWords[use]} at site ${here.site.id}; it has none`,
      );
    const holder = leafHolder(dpu.id, here.site.id, use);
    const claimed = await claimNumbers(deps, pool, holder, { count: 1, fence: fence() });
    if (!("claimed" in claimed)) return;
  }
  const leaf = leafOf(await context.latest());
  if (leaf) await context.change((current) => wanting(current, { leaf }));
  await refuseAway([await context.latest()], context);
}

/** The numbers that a DPU still waits for, in words. */
async function short(dpu: Dpu, { deps }: Pick<Context, "deps">): Promise<string | undefined> {
  const { site } = await machinesAt(deps, dpu);
  for (const use of leafNumbers) {
    const pool = leafPool(site, use);
    if (!pool || dpu.numbers?.[use] !== undefined) continue;
    const { used, resting, size } = await usageOf(deps, pool);
    const rest = resting > 0 ? `, ${resting} at rest after their last use` : "";
    return `${leafWords[use]} of site ${site.id}: ${used} of ${size} in use${rest}`;
  }
  return undefined;
}

/**
 * Claims the DPU's numbers as a leaf, which it keeps until it is deleted, and makes the DPU announce itself.
 */
export const announceLeaf: StepAction<Dpu> = {
  system: systems.dpu,
  effects: "none",
  act: claim,
  look: claim,
  async until(dpu, context) {
    const what = leafOf(dpu) ? undefined : await short(dpu, context);
    return what === undefined ? untilApplied(dpu) : pending(what, ownLook);
  },
  deadline: minutes(30),
  usually: seconds(40),
};

async function configure(dpu: Dpu, context: StepContext<Dpu>): Promise<void> {
  const leaf = leafOf(dpu);
  if (!leaf) throw new AppError("Internal", `DPU ${dpu.id} has no numbers as a leaf`);
  // A tenant has the host, so it returns to the tenant's networks.
  if (dpu.stands) await standAgain(dpu.id, context);
  else {
    const here = await machinesAt(context.deps, dpu);
    const host = adminNetwork(dpu.spec, needed(here, "admin_network"));
    await context.change((current) => wanting(current, { leaf, host }));
  }
  await refuseAway([await context.latest()], context);
}

/**
 * Makes the DPU carry its host's packets: on the admin network with a DHCP relay, or in a tenant's networks.
 */
export const configureNetwork: StepAction<Dpu> = {
  system: systems.dpu,
  effects: "none",
  act: configure,
  look: configure,
  until: (dpu) => (dpu.wanted?.host ? untilApplied(dpu) : pending("its network", ownLook)),
  deadline: minutes(30),
  usually: seconds(40),
};
