import * as z from "zod";
import type { HubApi } from "../../kubernetes/api.ts";
import { clusterOperators, unavailable } from "../../kubernetes/cluster-operators.ts";
import { conditionOf, holding } from "../../kubernetes/conditions.ts";
import { type GuestObservation, guestDone, guestPending } from "../guest.ts";

export async function observeNodes(api: HubApi, atLeast: number): Promise<GuestObservation> {
  const nodes = await api.listAll("v1", "Node");
  const behind = nodes.filter((node) => !holding(node, "Ready"));
  const ready = nodes.length - behind.length;
  if (ready >= atLeast) return guestDone;
  const [first] = behind;
  const why = first && conditionOf(first, "Ready")?.message;
  const example = first ? ` (${first.metadata.name}: ${why || "has not reported"})` : "";
  return guestPending(`nodes: ${ready} of ${atLeast} ready${example}`);
}

export async function observeOperators(api: HubApi): Promise<GuestObservation> {
  const { items } = await api.list(clusterOperators);
  if (items.length === 0) return guestPending("cluster operators to report");
  const complaints = unavailable(items);
  if (complaints.length === 0) return guestDone;
  return guestPending(`${complaints.length} cluster operators (${complaints.join("; ")})`);
}

const history = z.object({
  history: z.array(z.object({ state: z.string(), version: z.string() })).min(1),
});

export async function observeVersion(api: HubApi, version: string): Promise<GuestObservation> {
  const found = await api.read({
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
  });
  const newest = history.safeParse(found?.status).data?.history[0];
  if (newest?.state === "Completed" && newest.version === version) return guestDone;
  const why = holding(found, "Failing")?.message || conditionOf(found, "Progressing")?.message;
  return guestPending(`version ${version} to be rolled out${why ? `: ${why}` : ""}`);
}
