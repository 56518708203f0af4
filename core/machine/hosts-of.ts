import type { Timed } from "./sla.ts";

/** The ids of the hosts that a machine is, is in, or stands on. Pure. */
export function hostsOf(machine: Timed): string[] {
  if (machine.kind === "host") return [machine.id];
  if (machine.kind === "dpu") return [machine.spec.host.id];
  return Object.values(machine.placement?.hosts ?? {}).flat();
}
