import type { ClusterId } from "../../id.ts";
import type { ObservedOperators } from "../../resources/cluster/model.ts";
import type { Release } from "../../resources/cluster-version/release.ts";
import type { IdentityProvider } from "./clusters/hypershift/identity-provider.ts";
import type { CredentialRequest, Credentials, Issuance, Revocation } from "./credentials/port.ts";
import type { News } from "./news.ts";

/**
 * The hub port: Slipway's calls of a management cluster, in terms of an order. Every call is
 * idempotent: names derive from the order (docs/reference/hub.md §1), so a repeated call finds what
 * the first one made. Throws `Unavailable` when the hub does not answer and `Rejected` when it
 * refuses.
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
   * Withdraws an upgrade: sets the release back if the control plane has not begun to roll out the
   * new one, after which there is no way back. Answers whether the old release stays.
   */
  withdrawRelease(names: Names, from: Release, to: Release): Promise<boolean>;
  /** Starts an upgrade of a pool's nodes to a release, one node after the other. */
  setNodePoolRelease(names: Names, nodePool: string, image: string): Promise<void>;
  /** Reads the hub objects of one order, in the form of reports; absent objects are left out. */
  read(names: Names): Promise<News[]>;
  /** Reads the objects of all orders and the agents of this hub: the backstop behind the watch. */
  readAll(): Promise<News[]>;
  /** Reads all agents of this hub, whichever order has them. */
  readAgents(): Promise<News[]>;
  /** Lists everything on the hub that carries an order's label, or is in an order's namespace. */
  observeAll(): Promise<OwnedObject[]>;
  /**
   * Reads the cluster operators from the hosted cluster itself; undefined while it has no
   * kubeconfig.
   */
  readOperators(names: Names): Promise<ObservedOperators | undefined>;
  /**
   * Deletes the ManagedCluster, then the HostedCluster (docs/reference/hub.md §7). The operator then
   * removes the rest, which takes time.
   */
  removeHostedCluster(names: Names): Promise<void>;
  /** Deletes secrets, role bindings and the namespace, only after the HostedCluster is gone. */
  removeNamespace(names: Names): Promise<void>;
  /**
   * Takes this order's labels off an agent that is no longer bound. Succeeds if the agent is gone,
   * or belongs to another order by now.
   */
  releaseAgent(names: Names, agent: string): Promise<void>;
  /** Undefined until the hosted cluster has one. Never stored, never logged. */
  readKubeconfig(names: Names): Promise<string | undefined>;
  readPassword(names: Names): Promise<string | undefined>;
  /**
   * Issues a certificate for a caller's own key, valid for 24 hours. Waits up to 15 seconds for it;
   * the same request again continues. Only the hub stores it.
   */
  issueCredential(names: Names, request: CredentialRequest): Promise<Issuance>;
  listCredentials(names: Names): Promise<Credentials>;
  /** Starts to revoke all credentials. */
  revokeCredentials(names: Names, tenant: string): Promise<Revocation>;
  /** Calls the API server with the hub's credentials; answers its version. */
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
  /** The name of the HostedCluster, which is its infraID too. */
  hostedCluster: string;
  namespace: string;
  controlPlaneNamespace: string;
}

/** An order to be deployed; its secrets are read from the secret store here and nowhere before. */
export interface Deployment extends Names {
  tenant: string;
  /** The name that its owner gave it. */
  name: string;
  baseDomain: string;
  /** The claimed address of its API, and the name that leads there. */
  api?: { address: string; hostname?: string };
  releaseImage: string;
  podCidr: string;
  serviceCidr: string;
  pullSecret: string;
  sshPublicKey?: string;
  /** Without it the cluster has kubeadmin with a password. */
  identityProvider?: IdentityProvider;
  nodeSets: NodeSetDeployment[];
}

export interface NodeSetDeployment {
  name: string;
  nodePool: string;
  size: number;
  /** The control plane's release by default. */
  releaseImage?: string;
  /** Names of the Agent objects that the order has reserved. */
  agents: string[];
}

/** The calls that read an order's secrets on behalf of its tenant. */
export const readings = ["readKubeconfig", "readPassword", "listCredentials"] as const;
export type Reading = (typeof readings)[number];

/** Gives clients of hubs: one for each hub and process, behind a breaker. */
export interface Hubs {
  /**
   * Throws NotFound for a hub that is not registered. Throws Unavailable, without a call, for a hub
   * that is known to be away, unless the caller has to find out whether it is back (`evenAway`).
   */
  client(hub: string, asker?: { evenAway: boolean }): Promise<HubClient>;
}

/** The namespace of agents on every hub. */
export const agentNamespace = "hardware-inventory";
