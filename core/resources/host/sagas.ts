import type { Host } from "./model.ts";
import type { HostWork } from "./server.ts";

/** The sagas on a host, for code that starts them and need not know their steps. */
export const hostSagas = {
  discover: "host-discover",
  provision: "host-provision",
  clean: "host-clean",
  switch_off: "host-switch-off",
  update_firmware: "host-update-firmware",
} as const;
export type HostSagaName = (typeof hostSagas)[keyof typeof hostSagas];

/** The saga that does a work on a host: a host with DPUs is discovered once these are provisioned. */
export const sagaFor = ({ spec }: Pick<Host, "spec">, work: HostWork): HostSagaName =>
  work === "discover" && spec.dpus !== undefined ? hostSagas.provision : hostSagas[work];
