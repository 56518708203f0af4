import type { LedgerItem } from "../ledger.ts";
import type { DpuState, SimDpu } from "./dpu.ts";

/**
 * The parts of tenants' networks on a DPU, whether it runs or not: NICs in networks, and outside addresses that lead
 * in. They have no owner, since configurations name none.
 */
export function dpuItems({ id }: Pick<SimDpu, "id">, { applied }: DpuState): LedgerItem[] {
  const { host } = applied ?? {};
  if (host?.network !== "overlay") return [];
  const item = (kind: string, what: string): LedgerItem => ({
    ...{ kind, id: `${id}/${what}`, system: "dpu", owner: null },
  });
  return host.interfaces.flatMap(({ mac, vni, address, outside }) => [
    item("overlay_interface", `${mac}/${vni}/${address}`),
    ...(outside?.leads_in ? [item("announced_address", outside.address)] : []),
  ]);
}
