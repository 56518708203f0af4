import { cutLines } from "../../bounds.ts";
import { conditionOf, holding } from "./conditions.ts";
import type { CustomKind, KubeObject } from "./kube-object.ts";

/** The cluster operators of OpenShift itself, such as the console's. */
export const clusterOperators: CustomKind = {
  group: "config.openshift.io",
  version: "v1",
  kind: "ClusterOperator",
  plural: "clusteroperators",
};

/**
 * `name: message` of each operator that is not available; truncated to a number of lines and a count of the
 * others.
 */
export const unavailable = (operators: KubeObject[]): string[] =>
  cutLines(
    operators
      .filter((operator) => !holding(operator, "Available"))
      .map((operator) => {
        const message = conditionOf(operator, "Available")?.message;
        return `${operator.metadata.name}: ${message || "has not reported"}`;
      }),
  );
