import type { Cluster } from "./model.ts";

/**
 * Operators that work only with names and addresses (docs/reference/hub.md §2.13): at a hub without a
 * site, others may provide these.
 */
const needWayIn = ["ingress", "console"];

/** The entries (`name: message`) that this cluster waits for. */
export function awaited(unavailable: string[], { site }: Pick<Cluster, "site">): string[] {
  if (site?.network) return unavailable;
  return unavailable.filter((entry) => !needWayIn.includes(entry.split(":")[0] ?? ""));
}
