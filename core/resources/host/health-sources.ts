import type { Violation } from "../../error.ts";
import { reportBytes } from "../../machine/health-report.ts";
import { dpuSource } from "../../placement/pool/silent-dpu.ts";
import type { OverrideInput } from "./health.ts";
import type { Host } from "./model.ts";

/** Limits for the number of sources that report on a host, and for the size of their reports. */

/** The limit for sources that use the API, and for sources whose alerts are overridden. */
const sourceLimit = 16;

/**
 * Slipway's own sources, for which there is always room, without the host's DPUs, of which there are up to
 * eight.
 */
export const ownSources = {
  /** The discovery image, with the machine's own token. */
  machine: "machine",
  /** The results of the tests that its type names. */
  validation: "validation",
  /** Tenants who released the host with a fault. */
  tenant: "tenant",
} as const;
const ownNames: ReadonlySet<string> = new Set(Object.values(ownSources));
const isOwn = (source: string): boolean => ownNames.has(source) || source.startsWith(dpuSource(""));
const ownLimit = ownNames.size + 8;

/** The size of a source's name and the times of its report or override. */
const headBytes = 512;

/**
 * The limit, in bytes, for the health in a host's item: one report for each source, and the alerts
 * that override it. Derived members are not stored.
 */
export const healthLimit = (2 * sourceLimit + ownLimit) * (reportBytes + headBytes);

/** The violation if there is no room for a new source; undefined for one that the host has already. */
export function refuseSource(host: Host, source: string): Violation | undefined {
  const { reports, overrides = {} } = host.health ?? { reports: {} };
  const known = new Set([...Object.keys(reports), ...Object.keys(overrides)]);
  const others = [...known].filter((each) => !isOwn(each));
  if (isOwn(source) || known.has(source) || others.length < sourceLimit) return undefined;
  return {
    field: "source",
    message: `the host has ${sourceLimit} sources; one is forgotten when it reports no probe and no interval`,
  };
}

/** The violation if there is no room to override the alerts of another source; undefined if there is. */
export function refuseOverride(
  host: Host,
  { source, mode }: Pick<OverrideInput, "source" | "mode">,
): Violation | undefined {
  const { overrides = {} } = host.health ?? {};
  const isNew = mode !== "none" && !Object.hasOwn(overrides, source);
  if (!isNew || Object.keys(overrides).length < sourceLimit) return refuseSource(host, source);
  return {
    field: "source",
    message: `the host has ${sourceLimit} overrides; one ends with mode 'none'`,
  };
}
