import type { KubeCluster } from "../kubernetes/cluster.ts";
import type { lookUpRelease } from "../release.ts";
import type { Rollout } from "./cluster-version.ts";
import type { Finding } from "./conditions.ts";
import type { HostedCluster } from "./objects.ts";

/** A release, or the reason why there is none. */
export type Looked = ReturnType<typeof lookUpRelease>;

const minorOf = (version: string): number => Number(version.split(".")[1]);

/** Refuses an earlier minor version than the cluster's target, as HyperShift does. */
export function upgradeOf(looked: Looked, current: Rollout | undefined): Looked {
  const from = current?.desired.version;
  if (from === undefined || !("version" in looked)) return looked;
  if (minorOf(looked.version) >= minorOf(from)) return looked;
  const refusal = `y-stream downgrade from "${from}" to "${looked.version}" is not supported`;
  return { refusal };
}

/** HyperShift's checks of a HostedCluster before it does anything else. */
export function refusalsOf(
  cluster: KubeCluster,
  { metadata, spec }: HostedCluster,
  release: Looked,
): Finding[] {
  const refusals: Finding[] = [];
  const { agentNamespace } = spec.platform.agent;
  const invalid = {
    type: "ValidConfiguration",
    status: false,
    reason: "InvalidConfiguration",
  } as const;
  if (!cluster.get("Namespace", undefined, agentNamespace)) {
    const message = `failed to get agent namespace "${agentNamespace}": Namespace "${agentNamespace}" not found`;
    refusals.push({ ...invalid, message });
  }
  const sshKey = spec.sshKey?.name;
  if (sshKey && dataOf(cluster, metadata.namespace, sshKey, "id_rsa.pub") === undefined) {
    const message = `failed to get SSH key secret ${sshKey}: it has to have the key id_rsa.pub`;
    refusals.push({ ...invalid, message });
  }
  for (const { name, openID } of spec.configuration?.oauth.identityProviders ?? []) {
    const secret = openID.clientSecret.name;
    if (dataOf(cluster, metadata.namespace, secret, "clientSecret") !== undefined) continue;
    const message = `failed to apply IDP ${name} config: failed to get secret ${secret}: it has to have the key clientSecret`;
    refusals.push({ ...invalid, message });
  }
  const image = { type: "ValidReleaseImage", status: false } as const;
  if (
    dataOf(cluster, metadata.namespace, spec.pullSecret.name, ".dockerconfigjson") === undefined
  ) {
    const message = `failed to get pull secret: Secret "${spec.pullSecret.name}" not found`;
    refusals.push({ ...image, reason: "SecretNotFound", message });
  } else if ("refusal" in release) {
    refusals.push({ ...image, reason: "InvalidImage", message: release.refusal });
  }
  return refusals;
}

function dataOf(
  cluster: KubeCluster,
  namespace: string | undefined,
  name: string,
  key: string,
): string | undefined {
  // A Secret's data is a map of strings.
  const data = cluster.get("Secret", namespace, name)?.data as Record<string, string> | undefined;
  return data?.[key];
}
