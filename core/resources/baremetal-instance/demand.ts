import type { Demand, Placing } from "../../placement/choose/demand.ts";
import type { BaremetalInstance } from "./model.ts";
import { instanceQueues } from "./queues.ts";

/** The name of the set with the instance's host. */
const server = "server";

/** An instance demands one host at the site of its subnets, and no control plane. */
export function demandOf(instance: BaremetalInstance): Demand {
  const { kind, id, metadata, host_type: hostType, spec, site, batch } = instance;
  return {
    owner: { kind, id, tenant: metadata.tenant },
    wants: [{ set: server, hostType, count: 1 }],
    slot: false,
    where: { ...spec.placement, ...(site && { site: site.id }) },
    ...(batch && { purpose: `at once, for a batch of ${batch.members.length}` }),
    ...(batch?.racks && { racks: batch.racks }),
    queues: instanceQueues(instance),
  };
}

export const instancePlacing: Placing<"baremetal_instance"> = {
  kind: "baremetal_instance",
  placed: (instance, placement) => ({ ...instance, placement }),
  unplaced: ({ placement: _, ...bare }) => bare,
};
