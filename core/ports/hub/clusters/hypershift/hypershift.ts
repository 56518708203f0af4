import { AppError } from "../../../../error.ts";
import type { HubApi, HubApiOptions } from "../../../kubernetes/api.ts";
import { apiVersionOf, type KubeObject, managedClusters } from "../../../kubernetes/kube-object.ts";
import { type Owner, ownerLabel } from "../../../owner.ts";
import type { AssistedAgents } from "../../agents/assisted/assisted.ts";
import { removeSigningRequests } from "../../credentials/hypershift/break-glass.ts";
import type { ClusterCredentials } from "../../credentials/port.ts";
import type { News } from "../../news.ts";
import { newsOf } from "../../reported.ts";
import { reportedKinds } from "../../reported-kinds.ts";
import { nodeSetLabel } from "../labels.ts";
import type { Deployment, HostedClusters, ObservedOperators, Release, Workers } from "../port.ts";
import { identitySecretName } from "./identity-provider.ts";
import { letLeaveFirst } from "./leave-first.ts";
import {
  hostedClusterNamed,
  named,
  namespaceNamed,
  namespaceOf,
  secretNamed,
  selectionOf,
} from "./named.ts";
import {
  addressPoolName,
  controlPlaneObjects,
  metalLbNamespace,
  nodePool,
  pullSecret,
  pullSecretName,
  roleBindingNames,
  sshKeyName,
  subjectOf,
} from "./objects.ts";
import { operatorsIn } from "./operators.ts";
import { releaseImageOf, setRelease, withdrawRelease } from "./release.ts";

export interface HypershiftOptions {
  api: HubApi;
  /** The options of `api`, for calls to hosted clusters. */
  options: HubApiOptions;
  agents: AssistedAgents;
  credentials: Pick<ClusterCredentials, "readKubeconfig">;
}

/** HyperShift's hosted control planes, whose hosts are agents of the assisted service. */
export class HypershiftClusters implements HostedClusters {
  readonly #options: HubApiOptions;
  readonly #api: HubApi;
  readonly #agents: AssistedAgents;
  readonly #credentials: Pick<ClusterCredentials, "readKubeconfig">;
  /** Our username on the hub, cached. */
  #username: string | undefined;

  constructor({ api, options, agents, credentials }: HypershiftOptions) {
    this.#api = api;
    this.#options = options;
    this.#agents = agents;
    this.#credentials = credentials;
  }

  async ensureControlPlane(deployment: Deployment): Promise<void> {
    if (await this.#isAnothers(deployment)) {
      const message = `the namespace ${namespaceOf(deployment)} has another owner`;
      throw new AppError("Rejected", message);
    }
    this.#username ??= await this.#api.username();
    const ourselves = this.#username === undefined ? undefined : subjectOf(this.#username);
    for (const object of controlPlaneObjects(deployment, ourselves)) await this.#api.apply(object);
  }

  async ensureNodePools(deployment: Workers): Promise<void> {
    const { items } = await this.#api.list(reportedKinds.NodePool, selectionOf(deployment));
    const wanted = new Set(deployment.nodeSets.map((nodeSet) => nodeSet.nodePool));
    const going = items.find((pool) => wanted.has(pool.metadata.name) && isGoing(pool));
    if (going)
      throw new AppError(
        "Unavailable",
        `node pool ${going.metadata.name} of before is still being removed`,
      );
    for (const nodeSet of deployment.nodeSets) {
      // Agents come first: a NodePool that finds too few reports a failure.
      for (const agent of nodeSet.agents)
        await this.#agents.reserve(deployment, agent, nodeSet.name);
      await this.#api.apply(nodePool(deployment, nodeSet));
    }
    for (const pool of items) {
      const { name, labels } = pool.metadata;
      if (wanted.has(name) || isGoing(pool)) continue;
      const nodeSet = {
        name: labels?.[nodeSetLabel] ?? name,
        nodePool: name,
        size: 0,
        // A pool that is being removed is not upgraded.
        releaseImage: releaseImageOf(pool) ?? deployment.releaseImage,
        agents: [],
      };
      await this.#api.apply(nodePool(deployment, nodeSet));
    }
  }

  async letLeaveFirst(owner: Owner, agents: readonly string[]): Promise<void> {
    await letLeaveFirst(this.#api, owner, agents);
  }

  async ensurePullSecret(deployment: Deployment): Promise<void> {
    await this.#api.apply(pullSecret(deployment));
  }

  async removeNodePools(owner: Owner, kept: string[]): Promise<void> {
    const { items } = await this.#api.list(reportedKinds.NodePool, selectionOf(owner));
    for (const pool of items) {
      if (kept.includes(pool.metadata.name) || isGoing(pool)) continue;
      await this.#api.remove(named("NodePool", pool.metadata.name, namespaceOf(owner)));
    }
  }

  async setRelease(owner: Owner, image: string): Promise<void> {
    await setRelease(this.#api, hostedClusterNamed(owner), image);
  }

  async withdrawRelease(owner: Owner, from: Release, to: Release): Promise<boolean> {
    return withdrawRelease(this.#api, hostedClusterNamed(owner), from, to);
  }

  async setNodePoolRelease(owner: Owner, nodePool: string, image: string): Promise<void> {
    await setRelease(this.#api, named("NodePool", nodePool, namespaceOf(owner)), image);
  }

  async read(owner: Owner): Promise<News[]> {
    const hostedCluster = await this.#api.read(hostedClusterNamed(owner));
    const nodePools = await this.#api.list(reportedKinds.NodePool, selectionOf(owner));
    const agents = await this.#agents.readLabelled(selectionOf(owner).labelSelector);
    return [
      ...(hostedCluster ? [newsOf("HostedCluster", hostedCluster)] : []),
      ...nodePools.items.map((object) => newsOf("NodePool", object)),
      ...agents,
    ];
  }

  async readOperators(owner: Owner): Promise<ObservedOperators | undefined> {
    const kubeconfig = await this.#credentials.readKubeconfig(owner);
    return kubeconfig === undefined ? undefined : operatorsIn(kubeconfig, this.#options);
  }

  async removeHostedCluster(owner: Owner): Promise<void> {
    if (await this.#isAnothers(owner)) return;
    // Deleted first, because its add-ons need the hosted API for their removal.
    await this.#api.remove({
      apiVersion: apiVersionOf(managedClusters),
      kind: managedClusters.kind,
      metadata: { name: owner.name },
    });
    await this.#api.remove(hostedClusterNamed(owner));
  }

  async removeNamespace(owner: Owner): Promise<void> {
    if (await this.#isAnothers(owner)) return;
    const namespace = namespaceOf(owner);
    // The operator needs the pull secret until the HostedCluster is gone.
    if (await this.#api.read(hostedClusterNamed(owner))) {
      throw new AppError("Unavailable", "the HostedCluster is still being removed");
    }
    await this.#removeOrphanedPools(owner);
    await removeSigningRequests(this.#api, owner);
    for (const name of [pullSecretName(owner), sshKeyName(owner), identitySecretName(owner)]) {
      await this.#api.remove(secretNamed(name, namespace));
    }
    for (const name of roleBindingNames) {
      const apiVersion = "rbac.authorization.k8s.io/v1";
      await this.#api.remove({ apiVersion, kind: "RoleBinding", metadata: { name, namespace } });
    }
    await this.#api.remove({
      apiVersion: "metallb.io/v1beta1",
      kind: "IPAddressPool",
      metadata: { name: addressPoolName(owner), namespace: metalLbNamespace },
    });
    await this.#api.remove(namespaceNamed(owner));
  }

  /** Whether the owner's namespace exists and belongs to somebody else; all other objects are in it. */
  async #isAnothers(owner: Owner): Promise<boolean> {
    const found = await this.#api.read(namespaceNamed(owner));
    return found !== undefined && found.metadata.labels?.[ownerLabel(owner.kind)] !== owner.id;
  }

  /**
   * HyperShift removes node pools with their HostedCluster, unless the HostedCluster was deleted before the
   * operator saw it.
   */
  async #removeOrphanedPools(owner: Owner): Promise<void> {
    const pools = async () =>
      (await this.#api.list(reportedKinds.NodePool, selectionOf(owner))).items;
    const orphaned = await pools();
    for (const { metadata } of orphaned) {
      await this.#api.remove(named("NodePool", metadata.name, namespaceOf(owner)));
    }
    if (orphaned.length > 0 && (await pools()).length > 0) {
      throw new AppError("Unavailable", "node pools are still being removed");
    }
  }
}

const isGoing = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;
