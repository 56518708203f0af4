import * as z from "zod";

/**
 * An object as an API server answers it: the metadata that Slipway reads, and all other members unchanged.
 */
export const kubeObjectSchema = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    uid: z.string(),
    resourceVersion: z.string(),
    generation: z.number().optional(),
    deletionTimestamp: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  spec: z.record(z.string(), z.unknown()).optional(),
  status: z.record(z.string(), z.unknown()).optional(),
});
export type KubeObject = z.infer<typeof kubeObjectSchema>;

/** One page of a list, or the whole list. */
export const kubeListSchema = z.object({
  metadata: z.object({ continue: z.string().optional(), resourceVersion: z.string() }),
  items: z.array(kubeObjectSchema),
});
export type KubeList = z.infer<typeof kubeListSchema>;

/** An object's name, with the members that every object has. */
export interface ObjectName {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

/** A custom kind and its API path: `/apis/<group>/<version>/…/<plural>`. */
export interface CustomKind {
  group: string;
  version: string;
  kind: string;
  plural: string;
}

/** ACM's kind; hubs without ACM do not serve it. */
export const managedClusters: CustomKind = {
  group: "cluster.open-cluster-management.io",
  version: "v1",
  kind: "ManagedCluster",
  plural: "managedclusters",
};

/** A node pool's Machines, one for each node; an AgentMachine links each to its agent. */
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

/** The discovery image that servers boot to become agents, and the agents' settings. */
export const infraEnvs: CustomKind = {
  group: "agent-install.openshift.io",
  version: "v1beta1",
  kind: "InfraEnv",
  plural: "infraenvs",
};

export const apiVersionOf = ({ group, version }: CustomKind): string => `${group}/${version}`;
