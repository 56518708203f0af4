import { AppError } from "../../error.ts";
import type { HubApi, Selection } from "../kubernetes/api.ts";
import type { CustomKind, KubeObject } from "../kubernetes/kube-object.ts";
import { codeOf } from "../kubernetes/refusal.ts";
import { agentNamespace } from "./agents/port.ts";
import { metalLbNamespace } from "./clusters/hypershift/objects.ts";
import { clusterLabel } from "./clusters/labels.ts";
import { signingRequests } from "./credentials/hypershift/objects.ts";
import type { OwnedObject } from "./hub.ts";
import { reportedKinds } from "./reported-kinds.ts";

const addressPools: CustomKind = {
  group: "metallb.io",
  version: "v1beta1",
  kind: "IPAddressPool",
  plural: "ipaddresspools",
};

const ours = { labelSelector: clusterLabel };

/**
 * Lists objects with the label of a cluster on a hub, and every HostedCluster in a namespace of
 * ours: whoever made it, its namespace must not go while it exists.
 */
export async function ownedObjects(api: HubApi): Promise<OwnedObject[]> {
  const namespaces = await api.listAll("v1", "Namespace", ours);
  const owners = new Map(namespaces.map((each) => [each.metadata.name, ownerOf(each)]));
  const owned = (kind: string, objects: KubeObject[]): OwnedObject[] =>
    objects.flatMap((object) => {
      const { name, namespace } = object.metadata;
      const id = ownerOf(object) ?? (kind === "HostedCluster" && owners.get(namespace ?? ""));
      if (typeof id !== "string") return [];
      const owner = { kind: "cluster", id };
      return [{ kind, name, ...(namespace !== undefined && { namespace }), owner }];
    });
  const found = async (kind: CustomKind, selection: Selection = ours) =>
    owned(kind.kind, await listed(api, kind, selection));
  return [
    ...(await found(reportedKinds.HostedCluster, {})),
    ...(await found(reportedKinds.NodePool)),
    ...owned("Namespace", namespaces),
    ...(await found(signingRequests)),
    ...(await found(addressPools, { ...ours, namespace: metalLbNamespace })),
    ...(await found(reportedKinds.Agent, { ...ours, namespace: agentNamespace })),
  ];
}

const ownerOf = ({ metadata }: KubeObject): string | undefined => metadata.labels?.[clusterLabel];

/** Empty if the kind is not served. */
async function listed(api: HubApi, kind: CustomKind, selection: Selection): Promise<KubeObject[]> {
  try {
    return (await api.list(kind, selection)).items;
  } catch (error) {
    if (error instanceof AppError && codeOf(error.cause) === 404) return [];
    throw error;
  }
}
