import * as z from "zod";
import type { NewsKind } from "../hub/news.ts";

/** An object as an API server answers it: what we read of its metadata, and the rest as it is. */
export const kubeObjectSchema = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    uid: z.string(),
    resourceVersion: z.string(),
    generation: z.number().optional(),
    deletionTimestamp: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
  }),
  spec: z.record(z.string(), z.unknown()).optional(),
  status: z.record(z.string(), z.unknown()).optional(),
});
export type KubeObject = z.infer<typeof kubeObjectSchema>;

/** One page of a list, or all of it. */
export const kubeListSchema = z.object({
  metadata: z.object({ continue: z.string().optional(), resourceVersion: z.string() }),
  items: z.array(kubeObjectSchema),
});
export type KubeList = z.infer<typeof kubeListSchema>;

/** Which object, as every object says of itself. */
export interface ObjectName {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

/** Where a custom kind is served: `/apis/<group>/<version>/…/<plural>`. */
export interface CustomKind {
  group: string;
  version: string;
  kind: string;
  plural: string;
}

const hypershift = { group: "hypershift.openshift.io", version: "v1beta1" };

/** The kinds that hubs report on. */
export const reportedKinds: Record<NewsKind, CustomKind> = {
  HostedCluster: { ...hypershift, kind: "HostedCluster", plural: "hostedclusters" },
  NodePool: { ...hypershift, kind: "NodePool", plural: "nodepools" },
  Agent: {
    group: "agent-install.openshift.io",
    version: "v1beta1",
    kind: "Agent",
    plural: "agents",
  },
};

/** Where ACM runs; a hub without it has none. */
export const managedClusters: CustomKind = {
  group: "cluster.open-cluster-management.io",
  version: "v1",
  kind: "ManagedCluster",
  plural: "managedclusters",
};

/** What a node pool is made of, a Machine for each node; each is an agent by its AgentMachine. */
export const machines: CustomKind = {
  group: "cluster.x-k8s.io",
  version: "v1beta1",
  kind: "Machine",
  plural: "machines",
};
export const agentMachines: CustomKind = {
  group: "capi-provider.agent-install.openshift.io",
  version: "v1beta1",
  kind: "AgentMachine",
  plural: "agentmachines",
};

export const clusterOperators: CustomKind = {
  group: "config.openshift.io",
  version: "v1",
  kind: "ClusterOperator",
  plural: "clusteroperators",
};

export const apiVersionOf = ({ group, version }: CustomKind): string => `${group}/${version}`;
