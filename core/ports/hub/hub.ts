import type { ClusterId } from "../../id.ts";
import type { ObservedOperators } from "../../resources/cluster/model.ts";
import type { Release } from "../../resources/cluster-version/release.ts";
import type { IdentityProvider } from "./clusters/hypershift/identity-provider.ts";
import type { CredentialRequest, Credentials, Issuance, Revocation } from "./credentials/port.ts";
import type { News } from "./news.ts";

/**
 * The hub port: what Slipway does on a management cluster, in the terms of an order. Every call is
 * idempotent: names derive from the order (docs/reference/hub.md §1), so a repeated call finds what
 * the first one made. Throws `Unavailable` when the hub does not answer and `Rejected` when it refuses.
 */
export interface HubClient {
  /**
   * Applies the namespace, service account, role bindings, secrets and HostedCluster in that order
   * (docs/reference/hub.md §2.1 to §2.4).
   */
  ensureControlPlane(deployment: Deployment): Promise<void>;
  /**
   * Labels and approves the agents of each node set, then applies its NodePool (docs/reference/hub.md
   * §2.5, §2.6). Scales the NodePool of a node set that has left the deployment to zero. Throws
   * Unavailable while a NodePool of the deployment is still being removed from before.
   */
  ensureNodePools(deployment: Deployment): Promise<void>;
  /** Marks the nodes on these agents: they go first when their pools shrink (docs/reference/hub.md §6). */
  letLeaveFirst(names: Names, agents: readonly string[]): Promise<void>;
  /**
   * Applies the current pull secret; the operator passes it on. Existing nodes get it with their
   * next release (docs/reference/hub.md §6).
   */
  ensurePullSecret(deployment: Deployment): Promise<void>;
  /** Starts to remove the order's NodePools, except `kept`, once they are empty (docs/reference/hub.md §6). */
  removeNodePools(names: Names, kept: string[]): Promise<void>;
  /** Starts an upgrade of the control plane to a release (docs/reference/hub.md §6). */
  setRelease(names: Names, image: string): Promise<void>;
  /**
   * Has it stay at the release that it runs, if it has not begun to go to another one yet: there is
   * no way back then. Answers whether it stays.
   */
  withdrawRelease(names: Names, from: Release, to: Release): Promise<boolean>;
  /** Has the nodes of a pool go to a release, one after the other. */
  setNodePoolRelease(names: Names, nodePool: string, image: string): Promise<void>;
  /** The hub objects of one order as they are now, in the shape their news has; absent ones are left out. */
  read(names: Names): Promise<News[]>;
  /** The same for all orders and agents of this hub: the backstop behind the watch. */
  readAll(): Promise<News[]>;
  /** All agents of this hub, whoever has them. */
  readAgents(): Promise<News[]>;
  /** Everything on the hub that belongs to an order by its label, or stands in a namespace of one. */
  observeAll(): Promise<OwnedObject[]>;
  /** Cluster operators, asked of the hosted cluster itself; undefined while it has no kubeconfig. */
  readOperators(names: Names): Promise<ObservedOperators | undefined>;
  /**
   * Deletes the ManagedCluster, then the HostedCluster (docs/reference/hub.md §7). The operator then
   * removes the rest, which takes time.
   */
  removeHostedCluster(names: Names): Promise<void>;
  /** Secrets, role bindings, namespace: only after the HostedCluster is gone. */
  removeNamespace(names: Names): Promise<void>;
  /**
   * Takes this order's labels off an agent that is bound to nothing any more. An agent that is gone,
   * or is another order's by now, is fine.
   */
  releaseAgent(names: Names, agent: string): Promise<void>;
  /** Undefined until the hosted cluster has one. Never stored, never logged. */
  readKubeconfig(names: Names): Promise<string | undefined>;
  readPassword(names: Names): Promise<string | undefined>;
  /**
   * A certificate for a caller's own key, good for 24 hours, and what came of asking. Waits up to 15
   * seconds for it; the same request again goes on. Nothing of it is stored but on the hub.
   */
  issueCredential(names: Names, request: CredentialRequest): Promise<Issuance>;
  listCredentials(names: Names): Promise<Credentials>;
  /** Has all of them revoked; it takes time. */
  revokeCredentials(names: Names, tenant: string): Promise<Revocation>;
  /** Reaches the API server with the hub's credentials; answers its version. */
  probe(): Promise<string>;
}

/** An object that belongs to an order, by the id of its cluster. */
export interface OwnedObject {
  kind: string;
  name: string;
  namespace?: string;
  cluster: string;
}

/** The names of an order on its hub. */
export interface Names {
  cluster: ClusterId;
  /** HostedCluster, infraID. */
  hostedCluster: string;
  namespace: string;
  controlPlaneNamespace: string;
}

/** What is to be deployed; secrets are resolved here and nowhere before. */
export interface Deployment extends Names {
  tenant: string;
  /** How its owner calls it. */
  name: string;
  baseDomain: string;
  /** The address that is claimed for its API, and the name that leads there. */
  api?: { address: string; hostname?: string };
  releaseImage: string;
  podCidr: string;
  serviceCidr: string;
  pullSecret: string;
  sshPublicKey?: string;
  /** Absent: kubeadmin and its password. */
  identityProvider?: IdentityProvider;
  nodeSets: NodeSetDeployment[];
}

export interface NodeSetDeployment {
  name: string;
  nodePool: string;
  size: number;
  /** Absent: its control plane's. */
  releaseImage?: string;
  /** Names of the Agent objects that it may use. */
  agents: string[];
}

/** What may be read of an order on behalf of its tenant. */
export const readings = ["readKubeconfig", "readPassword", "listCredentials"] as const;
export type Reading = (typeof readings)[number];

/** Where clients of hubs come from; one per hub and process, behind a breaker. */
export interface Hubs {
  /**
   * Throws NotFound for a hub that is not registered, and Unavailable, without asking it, for one that
   * is known to be away; but not to whoever has to find out whether it is back (`evenAway`).
   */
  client(hub: string, asker?: { evenAway: boolean }): Promise<HubClient>;
}

/** The namespace of agents on every hub. */
export const agentNamespace = "hardware-inventory";
