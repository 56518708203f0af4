import type { Network, SimDpu } from "./dpu.ts";
import type { Dpus } from "./dpus.ts";

/** What DPUs do with the packets of the NICs behind them, by the configurations that they have applied. */

/** What a DPU does now: nothing but while its own system runs, which keeps what it has applied. */
function doing(dpus: Dpus, { id }: SimDpu): Network | undefined {
  const { runs, applied } = dpus.state(id);
  return runs.system === "agent" ? applied : undefined;
}

/** Whether the DPU before a NIC connects it; undefined for a NIC that is behind none. */
export function connects(dpus: Dpus, mac: string): boolean | undefined {
  const dpu = dpus.before(mac);
  if (!dpu) return undefined;
  const host = doing(dpus, dpu)?.host;
  const names = host?.ports.map(({ name }) => name) ?? [];
  return dpu.ports.some((port) => port.mac === mac && names.includes(port.name));
}
