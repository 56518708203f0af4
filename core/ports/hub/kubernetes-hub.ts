import { type Metal3, metal3On } from "../bare-metal/metal3/service.ts";
import { HubApi, type HubApiOptions } from "../kubernetes/api.ts";
import { apiVersionOf } from "../kubernetes/kube-object.ts";
import { notServed } from "../kubernetes/refusal.ts";
import type { Networks } from "../network/network.ts";
import { networkPolicies, userDefinedNetworks } from "../network/ovn-kubernetes/kinds.ts";
import { ovnKubernetesNetworks } from "../network/ovn-kubernetes/networks.ts";
import { AssistedAgents } from "./agents/assisted/assisted.ts";
import { HypershiftClusters } from "./clusters/hypershift/hypershift.ts";
import { ownedByClusters } from "./clusters/hypershift/owned.ts";
import { HypershiftCredentials } from "./credentials/hypershift/hypershift.ts";
import { signingRequests } from "./credentials/hypershift/objects.ts";
import type { HubClient, OwnedObject } from "./hub.ts";
import type { News } from "./news.ts";
import { type OwnedKind, ownedNamespaces, ownedObjects } from "./owned.ts";
import { newsOf } from "./reported.ts";
import { agentNamespace, newsKinds, reportedKinds } from "./reported-kinds.ts";

/** The kinds of objects of tenants' networks on a hub, beside namespaces. */
const ownedByNetworks: readonly OwnedKind[] = [userDefinedNetworks, networkPolicies];

export type KubernetesHubOptions = Omit<HubApiOptions, "timeout"> & { timeout?: number };

/** A management cluster behind its Kubernetes API, with an adapter for each of its abilities. */
export class KubernetesHub implements HubClient {
  readonly clusters: HypershiftClusters;
  readonly credentials: HypershiftCredentials;
  readonly agents: AssistedAgents;
  readonly metal3: Metal3;
  readonly networks: Networks;
  readonly #api: HubApi;

  constructor({ timeout = 10_000, ...given }: KubernetesHubOptions) {
    const options = { ...given, timeout };
    const api = new HubApi(options);
    this.#api = api;
    this.metal3 = metal3On(api);
    this.networks = ovnKubernetesNetworks(api);
    this.agents = new AssistedAgents(api);
    this.credentials = new HypershiftCredentials(api, options.wall);
    const { agents, credentials } = this;
    this.clusters = new HypershiftClusters({ api, options, agents, credentials });
  }

  async probe(): Promise<string> {
    return this.#api.version();
  }

  async readAll(): Promise<News[]> {
    const news: News[] = [];
    for (const kind of newsKinds) {
      const { items } = await this.#api.list(reportedKinds[kind], reportedKinds[kind].selection);
      news.push(...items.map((object) => newsOf(kind, object)));
    }
    return news;
  }

  async observeAll(ownerKinds: readonly string[]): Promise<OwnedObject[]> {
    const namespaces = await ownedNamespaces(this.#api, ownerKinds);
    const owned = (kinds: readonly OwnedKind[]) =>
      ownedObjects(this.#api, ownerKinds, kinds, namespaces);
    return [
      ...(await owned(ownedByClusters)),
      ...(await owned(ownedByNetworks)),
      ...namespaces,
      ...(await owned([signingRequests])),
      ...(await owned([{ ...reportedKinds.Agent, namespace: agentNamespace }])),
    ];
  }

  async networksFault(): Promise<string | undefined> {
    if (await this.#api.serves(userDefinedNetworks)) return undefined;
    const { kind } = userDefinedNetworks;
    return notServed({ apiVersion: apiVersionOf(userDefinedNetworks), kind }, "the hub");
  }

  async close(): Promise<void> {
    await this.#api.close();
  }
}
