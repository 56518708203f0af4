import { createHash } from "node:crypto";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import { durations } from "../durations.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import type { KubeObject } from "../kubernetes/object.ts";
import { conditionsOf, type KubeCondition, kubeTime } from "./conditions.ts";
import type { Controller } from "./control-loop.ts";
import type { HubWorld } from "./hub.ts";
import { read } from "./objects.ts";

interface InfraEnv extends KubeObject {
  spec: { cpuArchitecture: string };
  status?: { isoDownloadURL?: string; createdTime?: string; conditions?: KubeCondition[] };
}

/** The label of agents that names their InfraEnv. */
export const infraEnvLabel = "infraenvs.agent-install.openshift.io";

/** The URL of the hub's discovery image; undefined until it exists. */
export function discoveryImage(cluster: KubeCluster): string | undefined {
  const found = cluster.get("InfraEnv", agentNamespace, agentNamespace);
  return found && read<InfraEnv>(found).status?.isoDownloadURL;
}

/**
 * The image service: gives each InfraEnv the URL of a discovery image, with a token that expires, and renews it.
 * Without servers that could boot it, URLs are not renewed.
 */
export function infraEnvs({ id, cluster, servers }: HubWorld): Controller {
  return {
    kind: "InfraEnv",
    reconcile(object) {
      const { metadata, spec, status } = read<InfraEnv>(object);
      const now = cluster.clock.now();
      const runsOut =
        status?.createdTime === undefined
          ? now
          : Date.parse(status.createdTime) + durations.imageUrl;
      if (runsOut > now || (status && servers.isNone)) return servers.isNone ? undefined : runsOut;
      const createdTime = kubeTime(now);
      const findings = [
        {
          type: "ImageCreated",
          status: true,
          reason: "ImageCreated",
          message: "Image has been created",
        },
      ];
      cluster.patchStatus("InfraEnv", metadata.namespace, metadata.name, () => ({
        agentLabelSelector: { matchLabels: { [infraEnvLabel]: metadata.name } },
        conditions: conditionsOf(status?.conditions, findings, { now }),
        createdTime,
        isoDownloadURL: imageUrl(id, spec.cpuArchitecture, `${metadata.uid} ${createdTime}`),
      }));
      return undefined;
    },
  };
}

function imageUrl(hub: string, architecture: string, secret: string): string {
  const token = createHash("sha256").update(secret).digest("base64url");
  return `https://assisted-image-service.${hub}.sim/byapikey/${token}/4.17/${architecture}/minimal.iso`;
}
