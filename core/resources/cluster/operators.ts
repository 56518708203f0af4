import type { Cluster } from "./model.ts";

/**
 * Operators that need DNS names and addresses (docs/reference/hub.md §2.13). At a hub without a site, Slipway does not
 * provide these; others may.
 */
const needWayIn = ["ingress", "console"];

/** The entries (`name: message`) of the unavailable operators for which this cluster waits. */
export function awaited(unavailable: string[], { site }: Pick<Cluster, "site">): string[] {
  if (site?.network) return unavailable;
  return unavailable.filter((entry) => !needWayIn.includes(entry.split(":")[0] ?? ""));
}
