import * as z from "zod";
import { timestamp } from "../../../../clock.ts";
import { AppError, isKind } from "../../../../error.ts";
import type { ObservedOperators } from "../../../../resources/cluster/model.ts";
import type { Release } from "../../../../resources/cluster-version/release.ts";
import { HubApi, type HubApiOptions, type MergePatch } from "../../../kubernetes/api.ts";
import {
  apiVersionOf,
  clusterOperators,
  type KubeObject,
  managedClusters,
  type ObjectName,
  reportedKinds,
} from "../../../kubernetes/kube-object.ts";
import { hostedConnection } from "../../../kubernetes/kubeconfig.ts";
import {
  issueCredential,
  listCredentials,
  removeSigningRequests,
  revokeCredentials,
} from "../../credentials/hypershift/break-glass.ts";
import type {
  CredentialRequest,
  Credentials,
  Issuance,
  Revocation,
} from "../../credentials/port.ts";
import {
  agentNamespace,
  type Deployment,
  type HubClient,
  type Names,
  type OwnedObject,
} from "../../hub.ts";
import type { News, NewsKind } from "../../news.ts";
import { ownedObjects } from "../../owned.ts";
import { newsOf } from "../../reported.ts";
import { clusterLabel, nodeSetLabel } from "../labels.ts";
import { identitySecretName } from "./identity-provider.ts";
import { letLeaveFirst } from "./leave-first.ts";
import {
  addressPoolName,
  agentLabels,
  controlPlaneObjects,
  metalLbNamespace,
  nodePool,
  pullSecret,
  pullSecretName,
  roleBindingNames,
  sshKeyName,
  subjectOf,
} from "./objects.ts";
import { releaseImageOf, setRelease, withdrawRelease } from "./release.ts";

export type KubernetesHubOptions = Omit<HubApiOptions, "timeout"> & { timeout?: number };

/** A management cluster behind its Kubernetes API. */
export class KubernetesHub implements HubClient {
  readonly #options: HubApiOptions;
  readonly #api: HubApi;
  /** Ours on the hub, once it was asked for. */
  #username: string | undefined;

  constructor({ timeout = 10_000, ...options }: KubernetesHubOptions) {
    this.#options = { ...options, timeout };
    this.#api = new HubApi(this.#options);
  }

  async ensureControlPlane(deployment: Deployment): Promise<void> {
    this.#username ??= await this.#api.username();
    const ourselves = this.#username === undefined ? undefined : subjectOf(this.#username);
    for (const object of controlPlaneObjects(deployment, ourselves)) await this.#api.apply(object);
  }

  async ensureNodePools(deployment: Deployment): Promise<void> {
    const { items } = await this.#api.list(reportedKinds.NodePool, selectionOf(deployment));
    const wanted = new Set(deployment.nodeSets.map((nodeSet) => nodeSet.nodePool));
    const going = items.find((pool) => wanted.has(pool.metadata.name) && isGoing(pool));
    if (going)
      throw new AppError(
        "Unavailable",
        `node pool ${going.metadata.name} of before is still being removed`,
      );
    for (const nodeSet of deployment.nodeSets) {
      // First the agents: a NodePool that finds too few reports a failure.
      for (const agent of nodeSet.agents) await this.#reserve(agent, deployment, nodeSet.name);
      await this.#api.apply(nodePool(deployment, nodeSet));
    }
    for (const pool of items) {
      const { name, labels } = pool.metadata;
      if (wanted.has(name) || isGoing(pool)) continue;
      const nodeSet = {
        name: labels?.[nodeSetLabel] ?? name,
        nodePool: name,
        size: 0,
        // Nodes of a pool that is being removed are not upgraded.
        releaseImage: releaseImageOf(pool) ?? deployment.releaseImage,
        agents: [],
      };
      await this.#api.apply(nodePool(deployment, nodeSet));
    }
  }

  async letLeaveFirst(names: Names, agents: readonly string[]): Promise<void> {
    await letLeaveFirst(this.#api, names, agents);
  }

  async ensurePullSecret(deployment: Deployment): Promise<void> {
    await this.#api.apply(pullSecret(deployment));
  }

  async removeNodePools(names: Names, kept: string[]): Promise<void> {
    const { items } = await this.#api.list(reportedKinds.NodePool, selectionOf(names));
    for (const pool of items) {
      if (kept.includes(pool.metadata.name) || isGoing(pool)) continue;
      await this.#api.remove(named("NodePool", pool.metadata.name, names.namespace));
    }
  }

  async setRelease(names: Names, image: string): Promise<void> {
    await setRelease(this.#api, hostedClusterNamed(names), image);
  }

  async withdrawRelease(names: Names, from: Release, to: Release): Promise<boolean> {
    return withdrawRelease(this.#api, hostedClusterNamed(names), from, to);
  }

  async setNodePoolRelease(names: Names, nodePool: string, image: string): Promise<void> {
    await setRelease(this.#api, named("NodePool", nodePool, names.namespace), image);
  }

  async read(names: Names): Promise<News[]> {
    const hostedCluster = await this.#hostedCluster(names);
    const nodePools = await this.#api.list(reportedKinds.NodePool, selectionOf(names));
    const agents = await this.#api.list(reportedKinds.Agent, {
      ...selectionOf(names),
      namespace: agentNamespace,
    });
    return [
      ...(hostedCluster ? [newsOf("HostedCluster", hostedCluster)] : []),
      ...nodePools.items.map((object) => newsOf("NodePool", object)),
      ...agents.items.map((object) => newsOf("Agent", object)),
    ];
  }

  async readAll(): Promise<News[]> {
    const news: News[] = [];
    for (const kind of ["HostedCluster", "NodePool"] as const) {
      const { items } = await this.#api.list(reportedKinds[kind], { labelSelector: clusterLabel });
      news.push(...items.map((object) => newsOf(kind, object)));
    }
    return [...news, ...(await this.readAgents())];
  }

  async readAgents(): Promise<News[]> {
    const { items } = await this.#api.list(reportedKinds.Agent, { namespace: agentNamespace });
    return items.map((object) => newsOf("Agent", object));
  }

  async observeAll(): Promise<OwnedObject[]> {
    return ownedObjects(this.#api);
  }

  async readOperators(names: Names): Promise<ObservedOperators | undefined> {
    const kubeconfig = await this.readKubeconfig(names);
    if (kubeconfig === undefined) return undefined;
    // A silent hosted cluster does not mean a silent hub, so the breaker is not involved.
    const { breaker: _, ...options } = this.#options;
    const api = new HubApi({ ...options, connection: hostedConnection(kubeconfig) });
    try {
      const { items } = await api.list(clusterOperators);
      return {
        at: timestamp(options.wall.now()),
        total: items.length,
        unavailable: items.flatMap(complaint),
      };
    } catch (error) {
      if (!isKind(error, "Unavailable")) throw error;
      const message = "the hosted cluster's API does not answer";
      throw new AppError("Unavailable", message, { detail: error.detail, cause: error });
    } finally {
      await api.close();
    }
  }

  async removeHostedCluster(names: Names): Promise<void> {
    // Deleted first, because its addons need the hosted API to go away.
    await this.#api.remove({
      apiVersion: apiVersionOf(managedClusters),
      kind: managedClusters.kind,
      metadata: { name: names.hostedCluster },
    });
    await this.#api.remove(hostedClusterNamed(names));
  }

  async removeNamespace(names: Names): Promise<void> {
    const { namespace } = names;
    // The operator needs the pull secret until the HostedCluster is gone.
    if (await this.#hostedCluster(names)) {
      throw new AppError("Unavailable", "the HostedCluster is still being removed");
    }
    await this.#removeOrphanedPools(names);
    await removeSigningRequests(this.#api, names);
    for (const name of [pullSecretName(names), sshKeyName(names), identitySecretName(names)]) {
      await this.#api.remove(secretNamed(name, namespace));
    }
    for (const name of roleBindingNames) {
      const apiVersion = "rbac.authorization.k8s.io/v1";
      await this.#api.remove({ apiVersion, kind: "RoleBinding", metadata: { name, namespace } });
    }
    await this.#api.remove({
      apiVersion: "metallb.io/v1beta1",
      kind: "IPAddressPool",
      metadata: { name: addressPoolName(names), namespace: metalLbNamespace },
    });
    await this.#api.remove({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  }

  /**
   * The operator removes node pools with their HostedCluster, except when the HostedCluster was
   * deleted before the operator ever saw it.
   */
  async #removeOrphanedPools(names: Names): Promise<void> {
    const pools = async () =>
      (await this.#api.list(reportedKinds.NodePool, selectionOf(names))).items;
    const orphaned = await pools();
    for (const { metadata } of orphaned) {
      await this.#api.remove(named("NodePool", metadata.name, names.namespace));
    }
    if (orphaned.length > 0 && (await pools()).length > 0) {
      throw new AppError("Unavailable", "node pools are still being removed");
    }
  }

  async releaseAgent({ cluster }: Names, agent: string): Promise<void> {
    await this.#api.change(agentNamed(agent), (object) => {
      // A late undo must not take off the next order's labels.
      if (object?.metadata.labels?.[clusterLabel] !== cluster) return undefined;
      if (boundTo(object) !== undefined) {
        throw new AppError("Unavailable", `agent ${agent} is still bound to a cluster`);
      }
      return { metadata: { labels: { [clusterLabel]: null, [nodeSetLabel]: null } } };
    });
  }

  async readKubeconfig(names: Names): Promise<string | undefined> {
    return this.#secretOf(names, "kubeconfig", "kubeconfig");
  }

  async readPassword(names: Names): Promise<string | undefined> {
    return this.#secretOf(names, "kubeadminPassword", "password");
  }

  async issueCredential(names: Names, request: CredentialRequest): Promise<Issuance> {
    const kubeconfig = await this.readKubeconfig(names);
    if (kubeconfig === undefined) return { outcome: "not-ready" };
    const { wall } = this.#options;
    return issueCredential({ api: this.#api, wall }, names, request, kubeconfig);
  }

  async listCredentials(names: Names): Promise<Credentials> {
    return listCredentials(this.#api, names);
  }

  async revokeCredentials(names: Names, tenant: string): Promise<Revocation> {
    return revokeCredentials(this.#api, names, tenant);
  }

  async probe(): Promise<string> {
    return this.#api.version();
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#api.close();
  }

  /** Labels an agent for a node set and approves it. */
  async #reserve(agent: string, names: Names, nodeSet: string): Promise<void> {
    const wanted = agentLabels(names, nodeSet);
    await this.#api.change(agentNamed(agent), (object): MergePatch | undefined => {
      if (!object) throw new AppError("Rejected", `agent ${agent} does not exist on the hub`);
      const labels = object.metadata.labels ?? {};
      const owner = labels[clusterLabel] ?? names.cluster;
      const bound = boundTo(object) ?? names.hostedCluster;
      if (owner !== names.cluster || bound !== names.hostedCluster) {
        throw new AppError("Rejected", `agent ${agent} belongs to another cluster`);
      }
      const labelled = Object.entries(wanted).every(([key, value]) => labels[key] === value);
      if (labelled && object.spec?.approved === true) return undefined;
      return { metadata: { labels: wanted }, spec: { approved: true } };
    });
  }

  async #hostedCluster(names: Names): Promise<KubeObject | undefined> {
    return this.#api.read(hostedClusterNamed(names));
  }

  /**
   * One key of the Secret that the HostedCluster's status names; undefined until the status names
   * one.
   */
  async #secretOf(names: Names, member: string, key: string): Promise<string | undefined> {
    const hostedCluster = await this.#hostedCluster(names);
    const { data: reference } = z
      .object({ name: z.string() })
      .safeParse(hostedCluster?.status?.[member]);
    if (!reference) return undefined;
    const secret = await this.#api.read(secretNamed(reference.name, names.namespace));
    const { data } = z.record(z.string(), z.string()).safeParse(secret?.data);
    const value = data?.[key];
    return value === undefined ? undefined : Buffer.from(value, "base64").toString();
  }
}

const selectionOf = (names: Names) => ({
  namespace: names.namespace,
  labelSelector: `${clusterLabel}=${names.cluster}`,
});

const named = (kind: NewsKind, name: string, namespace: string): ObjectName => ({
  apiVersion: apiVersionOf(reportedKinds[kind]),
  kind,
  metadata: { name, namespace },
});

const hostedClusterNamed = (names: Names): ObjectName =>
  named("HostedCluster", names.hostedCluster, names.namespace);

const agentNamed = (name: string): ObjectName => named("Agent", name, agentNamespace);

const secretNamed = (name: string, namespace: string): ObjectName => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace },
});

const isGoing = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

/** The cluster deployment that an agent is bound to; undefined if it is bound to none. */
function boundTo(agent: KubeObject | undefined): string | undefined {
  const reference = z.object({ name: z.string().min(1) });
  return reference.safeParse(agent?.spec?.clusterDeploymentName).data?.name;
}

const conditionsSchema = z.array(
  z.object({ type: z.string(), status: z.string(), message: z.string().optional() }),
);

/** `name: message` of a cluster operator that is not available. */
function complaint({ metadata, status }: KubeObject): string[] {
  const conditions = conditionsSchema.safeParse(status?.conditions).data ?? [];
  const available = conditions.find(({ type }) => type === "Available");
  if (available?.status === "True") return [];
  return [`${metadata.name}: ${available?.message || "has not reported"}`];
}
