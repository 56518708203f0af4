import { asOperationId } from "../../core/id.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import type { Operation } from "../../core/kernel/saga/operation.ts";
import type { DpuStand } from "../../core/resources/dpu/model.ts";
import { DpuPackets } from "../../sim/dpu/packets.ts";
import { isolate } from "../../statemachines/steps/dpu/of-host.ts";
import { leaveEnds, stand } from "../../statemachines/steps/dpu/overlay.ts";
import { dpuOf } from "./dpus.ts";
import { recordsIn } from "./records.ts";
import { newServer } from "./servers.ts";
import type { Site } from "./site.ts";

/** Hosts with DPUs in networks of an overlay. */

export const withOverlay = async (site: Site): Promise<void> => {
  const { status } = await site.admin("POST", "network_classes", {
    metadata: { name: "overlay" },
    ...{ implementation_strategy: "overlay", is_default: true },
    spec: { vni_range: { first: 5000, last: 5999 } },
  });
  if (status !== 200) throw new Error("the class was refused");
};

/** Gives the provider a pool of outside addresses that DPUs announce. */
export const withOutsideOfDpus = async (site: Site): Promise<void> => {
  const spec = { ip_family: "IP_FAMILY_IPV4", cidrs: ["203.0.113.64/30"], rest_minutes: 0 };
  const metadata = { name: "outside" };
  const { status } = await site.admin("POST", "external_ip_pools", { metadata, spec });
  if (status !== 200) throw new Error("the pool was refused");
};

export const macOf = (number: number, nic = 0): string =>
  newServer(`server-${number}`, number).nics[nic]?.mac ?? "";

/** What a step that works on DPUs stands on, of an operation with this id. */
const contextOf = (site: Site, operation: string, deps = site.laptop.deps) => ({
  deps,
  fence: () => [],
  // Nothing else of it is asked for.
  operation: { id: asOperationId(operation) } as Operation,
});

/** Puts the NIC of this server that is behind a DPU into a subnet. */
export const putInto = (
  site: Site,
  dpu: string,
  place: Omit<DpuStand, "isPrimary" | "port">,
  operation = "o1",
): Promise<void> =>
  stand(dpu, [{ ...place, port: "pf0hpf", isPrimary: true }], contextOf(site, operation));

/** Puts a host back where nobody's hosts are. */
export async function takeOut(site: Site, host: string, operation = "o2"): Promise<void> {
  const record = await mustLoad(recordsIn(site.laptop.store), "host", host);
  await isolate(record, contextOf(site, operation));
}

/** Has the DPUs of a host forgotten as ends of what they have told to have left. */
export async function forgetEnds(
  site: Site,
  dpus: readonly string[],
  deps = site.laptop.deps,
): Promise<void> {
  for (const id of dpus) await leaveEnds(await dpuOf(site, id), contextOf(site, "o2", deps));
}

export const packetsOf = (site: Site): DpuPackets => new DpuPackets(site.world.dpus);
