import type { Cluster } from "../cluster/model.ts";

/** A version of OpenShift, and the image that brings it. */
export interface Release {
  version: string;
  image: string;
}

/** What the hub was told to run for a node set: its control plane's, unless it is behind. */
export const releaseOf = (
  { release, node_set_releases = {} }: Pick<Cluster, "release" | "node_set_releases">,
  nodeSet: string,
): Release =>
  Object.hasOwn(node_set_releases, nodeSet) ? (node_set_releases[nodeSet] ?? release) : release;

interface Parts {
  numbers: [major: number, minor: number, patch: number];
  /** Of a pre-release; empty for a release. */
  pre: string[];
}

function partsOf(version: string): Parts {
  const [core = "", pre = ""] = version.split("+")[0]?.split(/-(.*)/s) ?? [];
  const [major = 0, minor = 0, patch = 0] = core.split(".").map(Number);
  return { numbers: [major, minor, patch], pre: pre === "" ? [] : pre.split(".") };
}

/** How many minor versions `to` is above `from`; undefined across major versions. */
export function minorsBetween(from: string, to: string): number | undefined {
  const [a, b] = [partsOf(from).numbers, partsOf(to).numbers];
  return a[0] === b[0] ? b[1] - a[1] : undefined;
}

/** Negative when `a` comes before `b`, as Semantic Versioning 2.0 has it (§11). */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)];
  for (const [n, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[n] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.pre.length === 0 || other.pre.length === 0) return other.pre.length - one.pre.length;
  for (const [n, identifier] of one.pre.entries()) {
    const difference = comparePart(identifier, other.pre[n]);
    if (difference !== 0) return difference;
  }
  return one.pre.length - other.pre.length;
}

/** Numbers by value and before words; whatever is longer comes later. */
function comparePart(a: string, b: string | undefined): number {
  if (b === undefined) return 1;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
