import { asClusterId } from "../../core/id.ts";
import type { Deployment } from "../../core/ports/hub/clusters/port.ts";
import type { OwnershipTag } from "../../core/ports/owner.ts";

/** An order of two node sets, as the saga hands it to a hub. */
export function deployment(changes: Partial<Deployment> = {}): Deployment {
  return {
    cluster: asClusterId("0197a0de-0000-7000-8000-000000000001"),
    tenant: "tenant-a",
    name: "demo",
    hostedCluster: "abcdefghij",
    namespace: "slipway-abcdefghij",
    controlPlaneNamespace: "slipway-abcdefghij-abcdefghij",
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

/** Whom the order's objects belong to. */
export const ownerIn = ({ cluster: id }: Deployment): OwnershipTag => ({ kind: "cluster", id });
