import { isDeepStrictEqual } from "node:util";
import type { Cluster } from "./model.ts";

/** Paths that change only as an operation progresses. */
const progress =
  /^status\.(conditions|network|addresses|(api|ingress)_endpoint|dns_names|storage|node_sets|remaining)\b/;

/** Whether a change is only progress, so that it needs no event of its own. */
export const isClusterProgress = (
  before: Cluster,
  after: Cluster,
  paths: readonly string[],
): boolean =>
  after.operation !== undefined &&
  !hasTurned(before, after) &&
  paths.every((path) => progress.test(path));

/** Whether a condition has another status or reason; another message alone does not count. */
function hasTurned(before: Cluster, after: Cluster): boolean {
  const turns = ({ status }: Cluster) =>
    status.conditions.map(({ type, status, reason }) => [type, status, reason]);
  return !isDeepStrictEqual(turns(before), turns(after));
}
