import type { Host } from "../generated/answers.ts";

/** The use of a host, as a rack shows it by colour and word. */
export type HostUse = "free" | "used" | "busy" | "out" | "bad";

/** By the host's own state; a host of a tenant may be in any. */
const ofState: Readonly<Record<Host["status"]["state"], HostUse>> = {
  HOST_STATE_UNDISCOVERED: "out",
  HOST_STATE_DISCOVERING: "busy",
  HOST_STATE_AVAILABLE: "free",
  HOST_STATE_RESERVED: "used",
  HOST_STATE_RECLAIMING: "busy",
  HOST_STATE_CLEANING: "busy",
  HOST_STATE_UPDATING: "busy",
  HOST_STATE_OFF: "out",
  HOST_STATE_MAINTENANCE: "out",
  HOST_STATE_UNHEALTHY: "bad",
  HOST_STATE_QUARANTINED: "bad",
  HOST_STATE_RETIRED: "out",
};

/** Trouble comes before use: a tenant may hold a quarantined host. */
export const hostUse = ({ state }: Pick<Host["status"], "state">): HostUse => ofState[state];
