import { AppError } from "../../../core/error.ts";
import type { StepContext, StepDeps } from "../../../core/kernel/saga/context.ts";
import { isManaged } from "../../../core/placement/pool/host.ts";
import { adjustPool } from "../../../core/placement/reserve/adjust.ts";
import { heldHosts } from "../../../core/placement/reserve/release.ts";
import { askedBy, waitingWith } from "../../../core/resources/baremetal-instance/batch.ts";
import { demandOf, instancePlacing } from "../../../core/resources/baremetal-instance/demand.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import { type Capacity, leaveQueues, reserveCapacity, tell } from "../capacity/reserve.ts";

/** The host of an instance, and of the instances ordered with it. */

export const instanceCapacity: Capacity<"baremetal_instance"> = {
  ...instancePlacing,
  demandOf,
  othersOf: waitingWith,
};

type Instance = StepContext<BaremetalInstance>;

const reserve = reserveCapacity(instanceCapacity);

/**
 * Claims a host, or takes a ticket; in a batch, the first waiting instance claims for all. The host's record
 * names its owner at once, because no agent reports the owner of a host outside clusters. Throws Rejected for a
 * host that cannot be switched off and erased, on which a tenant's data would remain.
 */
export async function reserveInstanceHost(
  instance: BaremetalInstance,
  context: Instance,
): Promise<void> {
  const { deps } = context;
  const first = instance.placement ? undefined : await askedBy(deps, instance);
  if (first)
    await tell(context, {
      rejected: [],
      ...(first.operation.placement ?? { reason: "hosts, at once with its batch" }),
    });
  else await reserveForAll(instance, context);
  const held = await heldHosts(deps, await context.latest());
  for (const { host } of held) await adjustPool(deps, host.id, host);
  const other = held.find(({ host }) => !isManaged(host))?.host;
  if (!other) return;
  const { name } = other.metadata;
  throw new AppError(
    "Rejected",
    `host ${name} cannot be erased once it is released: Slipway does not manage its power`,
  );
}

async function reserveForAll(instance: BaremetalInstance, context: Instance): Promise<void> {
  const others = instance.placement ? [] : await waitingWith(context.deps, instance);
  await reserve(instance, context);
  if (others.length > 0 && (await context.latest()).placement) await wake(context, others);
}

/** Leaves the queue. The next instance of the batch then claims for the others. */
export async function leaveLine(instance: BaremetalInstance, context: Instance): Promise<void> {
  await leaveQueues(instanceCapacity)(instance, context);
  if (!instance.placement) await wake(context, await waitingWith(context.deps, instance));
}

type Waiting = Awaited<ReturnType<typeof waitingWith>>;

/** Rechecks the other operations at once; those that have not begun check when they begin. */
async function wake({ deps }: { deps: StepDeps }, others: Waiting): Promise<void> {
  for (const { operation } of others)
    if (operation.steps[reserves]?.token !== undefined)
      await deps.rechecks.request(operation.id, reserves);
}

/** The step that waits for a host. */
const reserves = "ReserveHost";
