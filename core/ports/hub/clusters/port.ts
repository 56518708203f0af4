import type { Owner } from "../../owner.ts";
import type { News } from "../news.ts";

/**
 * The port of hosted clusters: a hub runs their control planes, and hosts of the hub join them as nodes. An
 * owner has at most one, and all names on the hub derive from the owner's name.
 */
export interface HostedClusters {
  /**
   * Applies the namespace, service account, role bindings, secrets and HostedCluster in that order
   * (docs/reference/hub.md §2.1 to §2.4). Throws Rejected when somebody else has the namespace.
   */
  ensureControlPlane(deployment: Deployment): Promise<void>;
  /**
   * Labels and approves the agents of each node set, then applies its NodePool (docs/reference/hub.md §2.5,
   * §2.6). Scales the NodePools of removed node sets to zero. Throws Unavailable while an earlier NodePool of
   * the same name is still being deleted.
   */
  ensureNodePools(deployment: Workers): Promise<void>;
  /**
   * Marks the nodes on these agents, to be removed first when their pools shrink (docs/reference/hub.md §6).
   */
  letLeaveFirst(owner: Owner, agents: readonly string[]): Promise<void>;
  /**
   * Applies the current pull secret; HyperShift distributes it. Existing nodes get it with their next release
   * (docs/reference/hub.md §6).
   */
  ensurePullSecret(deployment: Deployment): Promise<void>;
  /**
   * Starts the deletion of the cluster's NodePools, except `kept`, once they are empty
   * (docs/reference/hub.md §6).
   */
  removeNodePools(owner: Owner, kept: string[]): Promise<void>;
  /** Starts an upgrade of the control plane to a release (docs/reference/hub.md §6). */
  setRelease(owner: Owner, image: string): Promise<void>;
  /**
   * Cancels an upgrade: restores the release if the control plane has not begun to roll out the new one; a
   * roll-out that has begun cannot be cancelled. Answers whether the old release stays.
   */
  withdrawRelease(owner: Owner, from: Release, to: Release): Promise<boolean>;
  /** Starts an upgrade of a pool's nodes to a release, one node at a time. */
  setNodePoolRelease(owner: Owner, nodePool: string, image: string): Promise<void>;
  /** Reads one cluster's hub objects as reports; absent objects are left out. */
  read(owner: Owner): Promise<News[]>;
  /**
   * Reads the cluster operators from the hosted cluster itself; undefined while it has no
   * kubeconfig.
   */
  readOperators(owner: Owner): Promise<ObservedOperators | undefined>;
  /**
   * Deletes the ManagedCluster, then the HostedCluster (docs/reference/hub.md §7). HyperShift then removes
   * the rest, which takes time. Like every removal, succeeds for absent objects, and leaves other people's
   * alone.
   */
  removeHostedCluster(owner: Owner): Promise<void>;
  /** Deletes secrets, role bindings and the namespace, once the HostedCluster is gone. */
  removeNamespace(owner: Owner): Promise<void>;
}

/** An owner's cluster without its secrets: enough for its node pools. */
export interface Workers extends Owner {
  /** The cluster's name for people on the hub, as its users gave it. */
  givenName: string;
  baseDomain: string;
  /** The claimed address of its API, and the DNS name that leads to it. */
  api?: { address: string; hostname?: string };
  releaseImage: string;
  podCidr: string;
  serviceCidr: string;
  sshPublicKey?: string;
  nodeSets: NodeSetDeployment[];
}

/** The complete cluster, with the secrets, which are read from the secret store only for this. */
export interface Deployment extends Workers {
  pullSecret: string;
  /** The identity provider; without one the cluster has kubeadmin with a password. */
  identityProvider?: IdentityProvider;
}

export interface NodeSetDeployment {
  name: string;
  nodePool: string;
  size: number;
  /** The default is the control plane's release. */
  releaseImage?: string;
  /** Names of the Agent objects that the order has reserved. */
  agents: string[];
}

/** An OpenShift version with its release image. */
export interface Release {
  version: string;
  image: string;
}

export interface ObservedOperators {
  at: string;
  total: number;
  /** Operators that are not available, `name: message`. */
  unavailable: string[];
}

/**
 * The login of a hosted cluster's users. HyperShift generates the cluster's OAuth configuration from its
 * HostedCluster and reverts other changes, so the login is configured on the hub. A cluster with an identity
 * provider has no kubeadmin password.
 */
export interface IdentityProvider {
  /** The name on the login page. */
  name: string;
  /** URL of the OpenID Connect provider, https. */
  issuer: string;
  clientId: string;
  /** Read from the secret store only when it is sent, like every secret. */
  clientSecret: string;
  /** The claim that lists a user's groups. */
  groupsClaim?: string;
}
