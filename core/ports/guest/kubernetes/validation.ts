import * as z from "zod";
import type { HubApi } from "../../kubernetes/api.ts";
import { clusterOperators, unavailable } from "../../kubernetes/cluster-operators.ts";
import { conditionOf, holding } from "../../kubernetes/conditions.ts";
import { done, type Observation, pending } from "../guest.ts";

export async function observeNodes(api: HubApi, atLeast: number): Promise<Observation> {
  const nodes = await api.listAll("v1", "Node");
  const behind = nodes.filter((node) => !holding(node, "Ready"));
  const ready = nodes.length - behind.length;
  if (ready >= atLeast) return done;
  const [first] = behind;
  const why = first && conditionOf(first, "Ready")?.message;
  const example = first ? ` (${first.metadata.name}: ${why || "has not reported"})` : "";
  return pending(`nodes: ${ready} of ${atLeast} ready${example}`);
}

export async function observeOperators(api: HubApi): Promise<Observation> {
  const { items } = await api.list(clusterOperators);
  if (items.length === 0) return pending("cluster operators to report");
  const complaints = unavailable(items);
  if (complaints.length === 0) return done;
  return pending(`${complaints.length} cluster operators (${complaints.join("; ")})`);
}

const history = z.object({
  history: z.array(z.object({ state: z.string(), version: z.string() })).min(1),
});

export async function observeVersion(api: HubApi, version: string): Promise<Observation> {
  const found = await api.read({
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
  });
  const newest = history.safeParse(found?.status).data?.history[0];
  if (newest?.state === "Completed" && newest.version === version) return done;
  const why = holding(found, "Failing")?.message || conditionOf(found, "Progressing")?.message;
  return pending(`version ${version} to be rolled out${why ? `: ${why}` : ""}`);
}
