import type { HostWork } from "./server.ts";

/** The sagas on a host, by the work that they do, for code that starts them and need not know their steps. */
export const hostSagas = {
  discover: "host-discover",
  clean: "host-clean",
  switch_off: "host-switch-off",
} as const satisfies Record<HostWork, string>;
export type HostSagaName = (typeof hostSagas)[HostWork];
