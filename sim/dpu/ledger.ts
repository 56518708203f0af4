import type { LedgerItem } from "../ledger.ts";
import type { DpuState, SimDpu } from "./dpu.ts";

/**
 * What a DPU has of tenants' networks, whether it runs or not: NICs in them, and outside addresses that lead in. No
 * configuration names whose they are.
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
