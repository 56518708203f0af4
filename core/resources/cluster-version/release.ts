import SemVer from "semver/classes/semver.js";
import parse from "semver/functions/parse.js";
import type { Release } from "../../ports/hub/clusters/port.ts";

/** The release of a node set on the hub: the control plane's, unless the node set is behind. */
export const releaseOf = (
  {
    release,
    node_set_releases = {},
  }: { release: Release; node_set_releases?: Record<string, Release> },
  nodeSet: string,
): Release =>
  Object.hasOwn(node_set_releases, nodeSet) ? (node_set_releases[nodeSet] ?? release) : release;

/** Loose parsing, because the API accepts leading zeros. Invalid text sorts before all versions. */
const parsed = (version: string): SemVer => parse(version, { loose: true }) ?? new SemVer("0.0.0");

/** The number of minor versions from `from` up to `to`; undefined across major versions. */
export function minorsBetween(from: string, to: string): number | undefined {
  const [a, b] = [parsed(from), parsed(to)];
  return a.major === b.major ? b.minor - a.minor : undefined;
}

/** Compares two versions as Semantic Versioning 2.0 has it (§11): negative if `a` comes before `b`. */
export const compareVersions = (a: string, b: string): number => parsed(a).compare(parsed(b));
