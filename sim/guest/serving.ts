import { durations } from "../durations.ts";
import type { ApiOptions } from "../kubernetes/api.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import { resourceName } from "../kubernetes/object.ts";
import { internalError } from "../kubernetes/status.ts";
import type { Marks } from "../operators/marks.ts";
import { packages } from "./catalog.ts";
import { isOfOperator } from "./kinds.ts";
import { running } from "./service-versions.ts";

/**
 * The kinds that the API of a hosted cluster serves, and its admission of writes; the cluster's operators determine
 * both.
 */
export function serving(
  cluster: KubeCluster,
  marks: Marks,
): Required<Pick<ApiOptions, "serves" | "admit">> {
  return {
    serves: (kind) =>
      !isOfOperator(kind) ||
      cluster.get("CustomResourceDefinition", undefined, resourceName(kind)) !== undefined,
    admit(verb, { kind, namespace = "" }) {
      if (!["create", "update", "patch"].includes(verb)) return;
      for (const { name, webhook } of packages) {
        const hook = webhook?.names[kind.kind];
        if (!webhook || !hook) continue;
        const since = running(cluster, marks, name)?.since;
        const answers = since === undefined ? Infinity : since + durations.guest.webhook;
        if (cluster.clock.now() >= answers) continue;
        const { service } = webhook;
        const path = `/validate-${kind.group.replaceAll(".", "-")}-${kind.version}-${kind.singular}`;
        const url = `https://${service}.${namespace}.svc:443${path}?timeout=10s`;
        const why =
          since === undefined
            ? `no endpoints available for service "${service}"`
            : "dial tcp 172.31.87.12:443: connect: connection refused";
        throw internalError(
          `failed calling webhook "${hook}": failed to call webhook: Post "${url}": ${why}`,
        );
      }
    },
  };
}
