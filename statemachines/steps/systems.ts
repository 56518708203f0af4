import type { System } from "../../core/kernel/saga/saga.ts";

/** The systems of steps: the name for people, and the zone that reaches it. */
export const systems = {
  placement: { name: "placement", zone: "core" },
  hub: { name: "hub", zone: "hub" },
  hostedCluster: { name: "hosted cluster", zone: "hub" },
  fabric: { name: "fabric", zone: "site" },
  dns: { name: "DNS", zone: "site" },
  /** The management controller of a server. */
  bareMetal: { name: "bare metal", zone: "site" },
  /**
   * A DPU requests its desired state and reports its present one. Its site's controllers show whether the site is
   * reachable.
   */
  dpu: { name: "DPU", zone: "site" },
  storage: { name: "storage", zone: "site" },
} as const satisfies Record<string, System>;
