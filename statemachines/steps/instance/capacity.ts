import { AppError } from "../../../core/error.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { adjustPool } from "../../../core/placement/adjust.ts";
import { isManaged } from "../../../core/placement/host.ts";
import { heldHosts } from "../../../core/placement/release.ts";
import { demandOf, instancePlacing } from "../../../core/resources/baremetal-instance/demand.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import { type Capacity, reserveCapacity } from "../capacity/reserve.ts";

/** The host of an instance. */

export const instanceCapacity: Capacity<"baremetal_instance"> = { ...instancePlacing, demandOf };

const reserve = reserveCapacity(instanceCapacity);

/**
 * Claims a host, or takes a ticket. The host's record says at once who has it: no agent tells that of a host that joins
 * no cluster. Throws Rejected for a host that nobody can switch off and erase: what a tenant
 * leaves on it would stay there.
 */
export async function reserveHost(
  instance: BaremetalInstance,
  context: StepContext<BaremetalInstance>,
): Promise<void> {
  await reserve(instance, context);
  const held = await heldHosts(context.deps, await context.latest());
  for (const { host } of held) await adjustPool(context.deps, host.id, host);
  const other = held.find(({ host }) => !isManaged(host))?.host;
  if (!other) return;
  const { name } = other.metadata;
  throw new AppError(
    "Rejected",
    `host ${name} cannot be erased once it is released: Slipway does not manage its power`,
  );
}
