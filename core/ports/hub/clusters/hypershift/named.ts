import { apiVersionOf, type ObjectName } from "../../../kubernetes/kube-object.ts";
import type { NewsKind } from "../../news.ts";
import { reportedKinds } from "../../reported-kinds.ts";
import { clusterLabel } from "../labels.ts";
import type { Names } from "../port.ts";

/** How a cluster's objects on its hub are found. */

export const selectionOf = (names: Names) => ({
  namespace: names.namespace,
  labelSelector: `${clusterLabel}=${names.cluster}`,
});

export const named = (kind: NewsKind, name: string, namespace: string): ObjectName => ({
  apiVersion: apiVersionOf(reportedKinds[kind]),
  kind,
  metadata: { name, namespace },
});

export const hostedClusterNamed = (names: Names): ObjectName =>
  named("HostedCluster", names.hostedCluster, names.namespace);

export const secretNamed = (name: string, namespace: string): ObjectName => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace },
});
