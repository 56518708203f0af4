import { cutLines } from "../../bounds.ts";
import { conditionOf, holding } from "./conditions.ts";
import type { CustomKind, KubeObject } from "./kube-object.ts";

/** The operators of an OpenShift cluster itself, such as its console. */
export const clusterOperators: CustomKind = {
  group: "config.openshift.io",
  version: "v1",
  kind: "ClusterOperator",
  plural: "clusteroperators",
};

/** `name: message` of each operator that is not available; of the last ones, only how many they are. */
export const unavailable = (operators: KubeObject[]): string[] =>
  cutLines(
    operators
      .filter((operator) => !holding(operator, "Available"))
      .map((operator) => {
        const message = conditionOf(operator, "Available")?.message;
        return `${operator.metadata.name}: ${message || "has not reported"}`;
      }),
  );
