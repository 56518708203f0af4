import type { KubeCluster } from "../kubernetes/cluster.ts";
import type { Controller } from "../operators/control-loop.ts";
import type { Marks } from "../operators/marks.ts";
import { sources } from "./catalog.ts";
import { clusterPolicies } from "./gpus.ts";
import { loadBalancers, metalLbs } from "./metallb.ts";
import { nodeFeatures } from "./node-features.ts";
import { ensure } from "./objects.ts";
import { installPlans, subscriptions } from "./olm.ts";
import { pods } from "./pods.ts";
import { serviceVersions } from "./service-versions.ts";
import { type IsLocal, ingressControllers } from "./way-in.ts";
import { deployments, jobs } from "./workloads.ts";

const namespaces = [
  "openshift-config",
  "openshift-console",
  "openshift-ingress",
  "openshift-ingress-operator",
  "openshift-marketplace",
  "openshift-monitoring",
  "openshift-operators",
];

/** Creates the first objects of a hosted cluster. */
export function prepareGuest(cluster: KubeCluster): void {
  for (const name of namespaces) {
    ensure(cluster, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  for (const name of sources) {
    ensure(cluster, {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "CatalogSource",
      metadata: { namespace: "openshift-marketplace", name },
      spec: { sourceType: "grpc" },
    });
  }
  ensure(cluster, {
    apiVersion: "operators.coreos.com/v1",
    kind: "OperatorGroup",
    metadata: { namespace: "openshift-operators", name: "global-operators" },
    spec: {},
  });
}

/** The operators that act on objects in a hosted cluster. */
export function guestControllers(
  cluster: KubeCluster,
  marks: Marks,
  isLocal: IsLocal = () => true,
): Controller[] {
  return [
    subscriptions(cluster, marks),
    installPlans(cluster, marks),
    serviceVersions(cluster, marks),
    metalLbs(cluster, marks),
    loadBalancers(cluster, marks),
    ingressControllers(cluster, isLocal),
    nodeFeatures(cluster, marks),
    clusterPolicies(cluster, marks),
    pods(cluster, marks),
    jobs(cluster, marks),
    deployments(cluster, marks),
  ];
}
