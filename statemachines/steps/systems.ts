import type { System } from "../../core/kernel/saga/saga.ts";

/** The systems that steps work on, by the names that people read, with the zones that reach them. */
export const systems = {
  placement: { name: "placement", zone: "core" },
  hub: { name: "hub", zone: "hub" },
  hostedCluster: { name: "hosted cluster", zone: "hub" },
  fabric: { name: "fabric", zone: "site" },
  dns: { name: "DNS", zone: "site" },
  /** The management controller of a server. */
  bareMetal: { name: "bare metal", zone: "site" },
  /** A DPU, which asks what it is to be and tells what it is. Controllers at its site tell whether it can be heard. */
  dpu: { name: "DPU", zone: "site" },
  storage: { name: "storage", zone: "site" },
} as const satisfies Record<string, System>;
