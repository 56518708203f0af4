/**
 * The paths of the kinds that Slipway writes, so that it need not ask servers for them. Kubernetes and the
 * kinds' authors fix the paths; a server without a kind answers 404.
 */
const named: Record<string, Record<string, string>> = {
  v1: {
    ConfigMap: "namespaces/configmaps",
    Namespace: "namespaces",
    Node: "nodes",
    Pod: "namespaces/pods",
    Secret: "namespaces/secrets",
    Service: "namespaces/services",
    ServiceAccount: "namespaces/serviceaccounts",
  },
  "k8s.ovn.org/v1": { ClusterUserDefinedNetwork: "clusteruserdefinednetworks" },
  "k8s.cni.cncf.io/v1": {
    NetworkAttachmentDefinition: "namespaces/network-attachment-definitions",
  },
  "networking.k8s.io/v1": { NetworkPolicy: "namespaces/networkpolicies" },
  "rbac.authorization.k8s.io/v1": {
    Role: "namespaces/roles",
    RoleBinding: "namespaces/rolebindings",
  },
  "storage.k8s.io/v1": { StorageClass: "storageclasses" },
  "agent-install.openshift.io/v1beta1": { Agent: "namespaces/agents" },
  "config.openshift.io/v1": { ClusterVersion: "clusterversions" },
  "hypershift.openshift.io/v1beta1": {
    HostedCluster: "namespaces/hostedclusters",
    NodePool: "namespaces/nodepools",
  },
  "metallb.io/v1beta1": {
    IPAddressPool: "namespaces/ipaddresspools",
    L2Advertisement: "namespaces/l2advertisements",
    MetalLB: "namespaces/metallbs",
  },
  "operator.openshift.io/v1": { IngressController: "namespaces/ingresscontrollers" },
  "operators.coreos.com/v1": { OperatorGroup: "namespaces/operatorgroups" },
  "operators.coreos.com/v1alpha1": {
    ClusterServiceVersion: "namespaces/clusterserviceversions",
    Subscription: "namespaces/subscriptions",
  },
};

/** The path segment of a kind, and whether its objects are in namespaces; undefined for other kinds. */
export function knownResource(
  apiVersion: string,
  kind: string,
): { name: string; namespaced: boolean } | undefined {
  const parts = named[apiVersion]?.[kind]?.split("/");
  const name = parts?.at(-1);
  return name === undefined ? undefined : { name, namespaced: parts?.length === 2 };
}
