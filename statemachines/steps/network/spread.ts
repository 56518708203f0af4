import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, pending } from "../../../core/kernel/saga/saga.ts";
import { endsOf } from "../../../core/resources/dpu/ends.ts";
import type { Spread } from "../../../core/resources/network-class/spread.ts";
import { lateEnd, renewEnds } from "../dpu/overlay.ts";
import { refuseEndsAway } from "../dpu/refuse-away.ts";
import { askAgain } from "../site/site.ts";

/**
 * The ends of an overlay network are the DPUs with a part of it. Each change of a part gets a version, and each end
 * reports the version that it has.
 */

interface Spreading {
  id: string;
  spread?: Spread;
}

/** Sends the newest version to every end, and records it once all have reported it. */
export async function spreadToEnds(
  network: string,
  { id, spread }: Spreading,
  context: StepContext<Spreading>,
): Promise<void> {
  const { wanted } = spread ?? {};
  if (wanted === undefined || spread?.applied === wanted) return;
  await renewEnds(network, context);
  if (await lateEnd(network, { id, version: wanted }, context))
    return refuseEndsAway(network, context);
  await context.change((target) =>
    target.spread?.wanted === wanted
      ? { ...target, spread: { ...target.spread, applied: wanted } }
      : undefined,
  );
}

/** The action for something in an overlay; it ends once every end has reported the newest version. */
export const spreading = <T extends Spreading>(
  action: StepAction<T>,
  networkOf: (target: T) => string,
): StepAction<T> => ({
  ...action,
  look: (target, context) =>
    (target.spread ? action.act : action.look)?.(target, context) ?? nothing,
  async until(target, context) {
    const { id, spread } = target;
    if (!spread) return action.until?.(target, context) ?? done;
    if (spread.applied === spread.wanted) return done;
    const end = await lateEnd(networkOf(target), { id, version: spread.wanted }, context);
    return pending(end ?? "its ends", askAgain);
  },
});

/** The undo of such an action; it ends once no end has a part of the object, or may have one. */
export const withdrawing = <T extends Spreading>(
  action: StepAction<T>,
  networkOf: (target: T) => string,
): StepAction<T> => ({
  ...action,
  look: (target, context) =>
    (target.spread ? action.act : action.look)?.(target, context) ?? nothing,
  async until(target, context) {
    if (!target.spread) return action.until?.(target, context) ?? done;
    const end = await endWith(networkOf(target), target.id, context);
    if (!end) return done;
    return pending(
      `DPU ${end.metadata.name} to report that it has removed everything of it`,
      askAgain,
    );
  },
});

const nothing = Promise.resolve();

/** A DPU that has a part of a network; one that left without a report may have any part. */
async function endWith(network: string, id: string, { deps }: Pick<Context, "deps">) {
  const ends = await endsOf(deps, network);
  return ends.find(({ wanted, leaving }) => {
    const host = wanted?.host;
    return leaving?.includes(network) || (host?.network === "overlay" && id in host.versions);
  });
}

/** Records that no end has a part of the object any more; its numbers are not reused for a while. */
export async function withdrawFromEnds(
  network: string,
  { id }: Spreading,
  context: StepContext<Spreading>,
): Promise<void> {
  if (await endWith(network, id, context)) return refuseEndsAway(network, context);
  await context.change((target) => {
    if (target.spread?.applied === undefined) return undefined;
    const { applied: _, ...spread } = target.spread;
    return { ...target, spread };
  });
}
