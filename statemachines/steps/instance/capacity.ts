import { AppError } from "../../../core/error.ts";
import type { Deps } from "../../../core/kernel/deps.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { isManaged } from "../../../core/placement/pool/host.ts";
import { adjustPool } from "../../../core/placement/reserve/adjust.ts";
import { heldHosts } from "../../../core/placement/reserve/release.ts";
import { askedBy, waitingWith } from "../../../core/resources/baremetal-instance/batch.ts";
import { demandOf, instancePlacing } from "../../../core/resources/baremetal-instance/demand.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import { type Capacity, leaveQueues, reserveCapacity, tell } from "../capacity/reserve.ts";

/** The host of an instance, and of those that were ordered with it. */

export const instanceCapacity: Capacity<"baremetal_instance"> = {
  ...instancePlacing,
  demandOf,
  othersOf: waitingWith,
};

type Instance = StepContext<BaremetalInstance>;

const reserve = reserveCapacity(instanceCapacity);

/**
 * Claims a host, or takes a ticket; one of a batch leaves that to the first of those that wait, which asks for all. The
 * host's record says at once who has it: no agent tells that of a host that joins no cluster. Throws Rejected for a
 * host that nobody can switch off and erase: what a tenant leaves on it would stay there.
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

/** Leaves the line. The next of its batch asks for the others then. */
export async function leaveLine(instance: BaremetalInstance, context: Instance): Promise<void> {
  await leaveQueues(instanceCapacity)(instance, context);
  if (!instance.placement) await wake(context, await waitingWith(context.deps, instance));
}

type Waiting = Awaited<ReturnType<typeof waitingWith>>;

/** Has others look at once; those that have not begun yet do so anyway. */
async function wake({ deps }: { deps: Deps }, others: Waiting): Promise<void> {
  for (const { operation } of others)
    if (operation.steps[reserves]?.token !== undefined)
      await deps.rechecks.request(operation.id, reserves);
}

/** The step that waits for a host. */
const reserves = "ReserveHost";
