import type { Right } from "../kubernetes/right.ts";
import { type OwnAccount, ownAccount } from "./own-account.ts";
import { rights } from "./rights.ts";

const group = "rbac.authorization.k8s.io";
const rbac = `${group}/v1`;

/**
 * The objects that grant a service account Slipway's rights on a hub, in the order of their application: the
 * account with a long-lived token, a ClusterRole, and a Role in each of the hub's own namespaces.
 */
export function rightsObjects(account: OwnAccount = ownAccount) {
  const { name, namespace } = account;
  const subjects = [{ kind: "ServiceAccount", name, namespace }];
  const places = Map.groupBy(rights, (right) => right.namespace);
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } },
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        name: tokenSecretName(account),
        namespace,
        annotations: { "kubernetes.io/service-account.name": name },
      },
      type: "kubernetes.io/service-account-token",
    },
    ...Array.from(places, ([place, granted]) => {
      const [role, binding] =
        place === undefined ? ["ClusterRole", "ClusterRoleBinding"] : ["Role", "RoleBinding"];
      const metadata = { name, ...(place !== undefined && { namespace: place }) };
      const roleRef = { apiGroup: group, kind: role, name };
      return [
        { apiVersion: rbac, kind: role, metadata, rules: rulesOf(granted) },
        { apiVersion: rbac, kind: binding, metadata, roleRef, subjects },
      ];
    }).flat(),
  ];
}

/** The Secret into which the hub writes the account's token. */
export const tokenSecretName = ({ name }: OwnAccount): string => `${name}-token`;

/** Merges rights into one rule for each resource, with all its verbs. */
function rulesOf(granted: Right[]) {
  const things = Map.groupBy(granted, (right) =>
    [right.group, right.resource, right.name ?? ""].join("/"),
  );
  return Array.from(things.values(), (same) => {
    const [{ group: apiGroup, resource, name } = { group: "", resource: "", name: undefined }] =
      same;
    return {
      apiGroups: [apiGroup],
      resources: [resource],
      ...(name !== undefined && { resourceNames: [name] }),
      verbs: same.map(({ verb }) => verb),
    };
  });
}
