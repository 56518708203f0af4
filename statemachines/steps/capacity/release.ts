import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import type { Placed, PlacedKind } from "../../../core/kernel/object/traits.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import type { Placing } from "../../../core/placement/choose/demand.ts";
import { mayLeave } from "../../../core/placement/pool/host.ts";
import { heldHosts, release } from "../../../core/placement/reserve/release.ts";
import { refreshAgents } from "../../../core/reconcile/refresh-agents.ts";
import { ownLook } from "./reserve.ts";

/** Releases every host that is reclaimed, and together with the last host the control-plane slot. */
export const releaseCapacity =
  <K extends PlacedKind>({ kind, unplaced }: Placing<K>) =>
  async (
    target: ObjectOf[K],
    { deps, operation, fence }: StepContext<ObjectOf[K]>,
  ): Promise<void> => {
    const { placement }: Placed = target;
    if (!placement) return;
    await refreshAgents(deps, target);
    const held = await heldHosts(deps, target);
    const busy = new Set(held.flatMap(({ host }) => (mayLeave(host) ? [] : [host.id])));
    const ready = Object.values(placement.hosts)
      .flat()
      .filter((id) => !busy.has(id));
    const hosts = new Set(ready);
    await release(deps, {
      kind,
      unplaced,
      id: target.id,
      operation: operation.id,
      fence: fence(),
      hosts: () => hosts,
      entirely: true,
    });
  };

export async function capacityReleased(target: Placed, { deps }: Context): Promise<Outcome> {
  if (!target.placement) return done;
  const held = await heldHosts(deps, target);
  const busy = held.filter(({ host }) => !mayLeave(host));
  if (busy.length === 0) return pending("its hosts to be released", 0);
  const first = busy[0]?.host;
  const state = first?.status.agent?.state ?? "unknown";
  return pending(
    `${busy.length} hosts to be reclaimed; ${first?.metadata.name} is ${state}`,
    ownLook,
  );
}
