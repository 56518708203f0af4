import type { Host } from "./model.ts";
import type { HostWork } from "./server.ts";

/** The names of the sagas on a host, for code that starts them without knowing their steps. */
export const hostSagas = {
  discover: "host-discover",
  provision: "host-provision",
  clean: "host-clean",
  switch_off: "host-switch-off",
  update_firmware: "host-update-firmware",
} as const;
export type HostSagaName = (typeof hostSagas)[keyof typeof hostSagas];

/** The saga for a host's work. The discovery of a host with DPUs begins with their provisioning. */
export const sagaFor = ({ spec }: Pick<Host, "spec">, work: HostWork): HostSagaName =>
  work === "discover" && spec.dpus !== undefined ? hostSagas.provision : hostSagas[work];
