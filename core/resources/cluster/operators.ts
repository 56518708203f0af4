import type { Cluster } from "./model.ts";

/**
 * Operators that need DNS names and addresses (docs/reference/hub.md §2.13). A hub without a site gets these
 * from others, if at all.
 */
const needWayIn = ["ingress", "console"];

/** The unavailable operators that this cluster waits for, as `name: message`. */
export function awaitedOperators(unavailable: string[], { site }: Pick<Cluster, "site">): string[] {
  if (site?.network) return unavailable;
  return unavailable.filter((entry) => !needWayIn.includes(entry.split(":")[0] ?? ""));
}
