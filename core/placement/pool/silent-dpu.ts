import type { ObjectOf } from "../../kernel/object/object-of.ts";

/** Placement's rule about the DPUs of a host: while one is silent nobody can have the host, since nobody knows whom it reaches. Pure. */

/** The alert of a source that has promised to report, and is not heard. */
export const reportLate = "report-late";

/** How the sources of a host's health begin that are its DPUs. */
const prefix = "dpu ";

/** The source that a DPU of this name is at its host. */
export const dpuSource = (name: string): string => `${prefix}${name}`.slice(0, 63);

type Health = Pick<ObjectOf["host"], "status">;

/** The alerts of the host's DPUs that are silent, with the source that each is. */
export const silentDpus = ({ status: { health } }: Health) =>
  health?.alerts.filter(({ source, id }) => id === reportLate && source.startsWith(prefix)) ?? [];

/** One of them; undefined while none is silent. */
export const silentDpu = (host: Health) => silentDpus(host)[0];
