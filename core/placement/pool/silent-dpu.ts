import type { ObjectOf } from "../../kernel/object/object-of.ts";

/**
 * Placement's rule about the DPUs of a host: while one is silent nobody can claim the host, since nobody knows whom the
 * host can reach. Pure.
 */

/** The alert about a source that does not report as promised. */
export const reportLate = "report-late";

/** The prefix of the sources of a host's health that are its DPUs. */
const prefix = "dpu ";

/** A DPU's name as a source of its host's health. */
export const dpuSource = (name: string): string => `${prefix}${name}`.slice(0, 63);

type Health = Pick<ObjectOf["host"], "status">;

/** The alerts about the host's silent DPUs, each with its source. */
export const silentDpus = ({ status: { health } }: Health) =>
  health?.alerts.filter(({ source, id }) => id === reportLate && source.startsWith(prefix)) ?? [];

/** The first of these alerts; undefined while no DPU is silent. */
export const silentDpu = (host: Health) => silentDpus(host)[0];
