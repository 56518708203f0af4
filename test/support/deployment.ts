import type { Deployment } from "../../core/ports/hub/clusters/port.ts";
import type { OwnershipTag } from "../../core/ports/owner.ts";

/** A deployment, and what its parts are called on the hub. */
export interface Order extends Deployment {
  hostedCluster: string;
  namespace: string;
  controlPlaneNamespace: string;
}

/** An order of two node sets, as the saga hands it to a hub. */
export function deployment(changes: Partial<Deployment> = {}): Order {
  const { name = "abcdefghij" } = changes;
  return {
    kind: "cluster",
    id: "0197a0de-0000-7000-8000-000000000001",
    tenant: "tenant-a",
    name,
    givenName: "demo",
    hostedCluster: name,
    namespace: `slipway-${name}`,
    controlPlaneNamespace: `slipway-${name}-${name}`,
    baseDomain: "demo.tenant-a.example.com",
    releaseImage: "quay.io/openshift-release-dev/ocp-release:4.17.9-multi",
    podCidr: "10.132.0.0/14",
    serviceCidr: "172.31.0.0/16",
    pullSecret: '{"auths":{"quay.io":{"auth":"cHVsbDpzZWNyZXQ="}}}',
    sshPublicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKey demo",
    nodeSets: [
      {
        name: "workers",
        nodePool: "abcdefghij-workers",
        size: 2,
        agents: ["agent-1", "agent-2"],
      },
      {
        name: "gpu",
        nodePool: "abcdefghij-gpu",
        size: 1,
        agents: ["agent-3"],
      },
    ],
    ...changes,
  };
}

/** What the tags of the order's objects say. */
export const ownerIn = ({ kind, id }: Deployment): OwnershipTag => ({ kind, id });
