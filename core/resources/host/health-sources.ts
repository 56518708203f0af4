import type { Violation } from "../../error.ts";
import { reportBytes } from "../../machine/health-report.ts";
import { dpuSource } from "../../placement/pool/silent-dpu.ts";
import type { OverrideInput } from "./health.ts";
import type { Host } from "./model.ts";

/** How many sources may report on a host, and what their reports may take. */

/** The most sources that a host has which report over the API, and the most whose alerts are read otherwise. */
const sourceLimit = 16;

/** The sources that are Slipway's own, beside the DPUs of a host, of which it has eight at most: they always have room. */
export const ownSources = {
  /** The discovery image, by the machine's own token. */
  machine: "machine",
  /** The results of the tests that its type names. */
  validation: "validation",
  /** Tenants who gave it back. */
  tenant: "tenant",
} as const;
const ownNames: ReadonlySet<string> = new Set(Object.values(ownSources));
const isOwn = (source: string): boolean => ownNames.has(source) || source.startsWith(dpuSource(""));
const ownLimit = ownNames.size + 8;

/** The name of a source, and the times of its report or override. */
const headBytes = 512;

/**
 * What the health of a host may take of its item, in bytes: the report of each source, and the alerts that are read
 * beside it or in its place. What follows from them is not stored.
 */
export const healthLimit = (2 * sourceLimit + ownLimit) * (reportBytes + headBytes);

/** What is wrong with one more source; undefined while there is room, and for one that the host has. */
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

/** What is wrong with the alerts of one more source being read otherwise; undefined while there is room. */
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
