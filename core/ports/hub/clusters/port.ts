import type { Owner } from "../../owner.ts";
import type { News } from "../news.ts";

/**
 * The port of hosted clusters: a hub runs their control planes, and hosts of its inventory join them.
 * An owner has one at most, and all names on the hub derive from the owner's.
 */
export interface HostedClusters {
  /**
   * Applies the namespace, service account, role bindings, secrets and HostedCluster in that order
   * (docs/reference/hub.md §2.1 to §2.4). Throws Rejected where somebody else has the namespace.
   */
  ensureControlPlane(deployment: Deployment): Promise<void>;
  /**
   * Labels and approves the agents of each node set, then applies its NodePool (docs/reference/hub.md
   * §2.5, §2.6). Scales the NodePool of a node set that has left the deployment to zero. Throws
   * Unavailable while a NodePool of the deployment is still being removed from before.
   */
  ensureNodePools(deployment: Workers): Promise<void>;
  /** Marks the nodes on these agents: they go first when their pools shrink (docs/reference/hub.md §6). */
  letLeaveFirst(owner: Owner, agents: readonly string[]): Promise<void>;
  /**
   * Applies the current pull secret; the operator passes it on. Existing nodes get it with their
   * next release (docs/reference/hub.md §6).
   */
  ensurePullSecret(deployment: Deployment): Promise<void>;
  /** Starts to remove the cluster's NodePools, except `kept`, once they are empty (docs/reference/hub.md §6). */
  removeNodePools(owner: Owner, kept: string[]): Promise<void>;
  /** Starts an upgrade of the control plane to a release (docs/reference/hub.md §6). */
  setRelease(owner: Owner, image: string): Promise<void>;
  /**
   * Withdraws an upgrade: sets the release back if the control plane has not begun to roll out the
   * new one, after which there is no way back. Answers whether the old release stays.
   */
  withdrawRelease(owner: Owner, from: Release, to: Release): Promise<boolean>;
  /** Starts an upgrade of a pool's nodes to a release, one node after the other. */
  setNodePoolRelease(owner: Owner, nodePool: string, image: string): Promise<void>;
  /** Reads the hub objects of one cluster, in the form of reports; absent objects are left out. */
  read(owner: Owner): Promise<News[]>;
  /**
   * Reads the cluster operators from the hosted cluster itself; undefined while it has no
   * kubeconfig.
   */
  readOperators(owner: Owner): Promise<ObservedOperators | undefined>;
  /**
   * Deletes the ManagedCluster, then the HostedCluster (docs/reference/hub.md §7). The operator then
   * removes the rest, which takes time. Like every removal it succeeds for what is gone, and leaves
   * alone what is somebody else's.
   */
  removeHostedCluster(owner: Owner): Promise<void>;
  /** Deletes secrets, role bindings and the namespace, only after the HostedCluster is gone. */
  removeNamespace(owner: Owner): Promise<void>;
}

/** An owner's cluster, to be deployed: what its node pools are made of, which takes no secret. */
export interface Workers extends Owner {
  /** The name that people gave the cluster: for people on the hub. */
  givenName: string;
  baseDomain: string;
  /** The claimed address of its API, and the name that leads there. */
  api?: { address: string; hostname?: string };
  releaseImage: string;
  podCidr: string;
  serviceCidr: string;
  sshPublicKey?: string;
  nodeSets: NodeSetDeployment[];
}

/** The whole of it; its secrets are read from the secret store here and nowhere before. */
export interface Deployment extends Workers {
  pullSecret: string;
  /** The identity provider; without one the cluster has kubeadmin with a password. */
  identityProvider?: IdentityProvider;
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

/** A version of OpenShift, and the image that brings it. */
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
 * The login of a hosted cluster's users. HyperShift writes the cluster's OAuth configuration from its
 * HostedCluster and reverts changes by others, so the login is configured on the hub. A cluster with an
 * identity provider has no kubeadmin password.
 */
export interface IdentityProvider {
  /** The name on the login page. */
  name: string;
  /** URL of the OpenID Connect provider, https. */
  issuer: string;
  clientId: string;
  /** Read from the secret store when it is sent, like every secret. */
  clientSecret: string;
  /** The claim that lists a user's groups. */
  groupsClaim?: string;
}
