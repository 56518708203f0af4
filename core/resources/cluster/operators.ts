import type { Cluster } from "./model.ts";

/** Come up only with names and addresses (docs/reference/hub.md §2.13): where we give none, others may. */
const needWayIn = ["ingress", "console"];

/** Of `name: message` entries, those that count for this cluster. */
export function awaited(unavailable: string[], { site }: Pick<Cluster, "site">): string[] {
  if (site?.network) return unavailable;
  return unavailable.filter((entry) => !needWayIn.includes(entry.split(":")[0] ?? ""));
}
