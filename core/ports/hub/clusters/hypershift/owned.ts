import type { OwnedKind } from "../../owned.ts";
import { reportedKinds } from "../../reported-kinds.ts";
import { metalLbNamespace } from "./objects.ts";

const { HostedCluster, NodePool } = reportedKinds;

/** The kinds of objects that owners of hosted clusters have on a hub. */
export const ownedByClusters: readonly OwnedKind[] = [
  { ...HostedCluster, byNamespace: true },
  NodePool,
  {
    group: "metallb.io",
    version: "v1beta1",
    kind: "IPAddressPool",
    plural: "ipaddresspools",
    namespace: metalLbNamespace,
  },
];
