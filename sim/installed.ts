import { agentNamespace } from "../core/ports/hub/reported-kinds.ts";
import { rightsObjects } from "../core/ports/hub/rights-objects.ts";
import type { KubeInput } from "./kubernetes/cluster.ts";

/** What a hub's owner installs before Slipway, for the hub with this number. */
export function installed(number: number): KubeInput[] {
  const namespaces = [agentNamespace, "hypershift", "metallb-system", "multicluster-engine"];
  return [
    ...namespaces.map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    {
      apiVersion: "metallb.io/v1beta1",
      kind: "IPAddressPool",
      metadata: { namespace: "metallb-system", name: "control-planes" },
      spec: { addresses: [`10.${number}.240.1-10.${number}.243.254`], autoAssign: true },
    },
    ...rightsObjects(),
    {
      apiVersion: "agent-install.openshift.io/v1beta1",
      kind: "InfraEnv",
      metadata: { namespace: agentNamespace, name: agentNamespace },
      spec: { pullSecretRef: { name: "pull-secret" }, cpuArchitecture: "x86_64" },
    },
  ];
}
