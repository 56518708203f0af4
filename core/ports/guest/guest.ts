import type { Json } from "../../kernel/store/store.ts";
import type { Owner } from "../owner.ts";
import type { StorageAccess } from "../storage/storage.ts";

/**
 * The guest port: Slipway's calls inside a hosted cluster, once it has nodes. Every `ensure…` is idempotent:
 * it does what is possible now and answers its progress, and is called again until it is done. All objects
 * belong to the cluster's owner, and none has to be removed, because the cluster's deletion removes them. A
 * refusal by the cluster is an observation (`failed`); a cluster that does not answer throws `Unavailable`.
 */
export interface GuestClient {
  /** Gives the router this address of the node network, by MetalLB (docs/reference/hub.md §2.10). */
  ensureIngress(ingress: Ingress): Promise<GuestObservation>;
  /**
   * Sets the certificate that the router serves for names under the cluster's domain
   * (docs/reference/hub.md §2.11).
   */
  ensureIngressCertificate(certificate: Certificate): Promise<GuestObservation>;
  /** Creates a storage class on the cluster's own part of a Ceph pool. */
  ensureStorageClass(storage: RbdStorage): Promise<GuestObservation>;
  /** Subscribes to an operator; done when its version is installed. */
  ensureOperator(operator: OperatorRequest): Promise<GuestObservation>;
  /** Applies the template's manifests in order. */
  ensureManifests(manifests: Manifest[]): Promise<GuestObservation>;

  /** Done when at least this many nodes are Ready. */
  observeNodes(atLeast: number): Promise<GuestObservation>;
  /** Done when every cluster operator is available, ingress and console included. */
  observeOperators(): Promise<GuestObservation>;
  /** Done when this version is rolled out. */
  observeVersion(version: string): Promise<GuestObservation>;

  /** Runs the template's test workload in a namespace of its own; done when all of it has succeeded. */
  ensureTestWorkload(manifests: Manifest[]): Promise<GuestObservation>;
  removeTestWorkload(): Promise<GuestObservation>;
}

/** The source of clients of hosted clusters. */
export interface Guests {
  /**
   * Runs `work` with a client of the owner's hosted cluster. The kubeconfig is read from the hub for this
   * call and not stored. Answers undefined while there is no kubeconfig. Throws the errors of the hub's
   * client.
   */
  reach<T>(
    hub: string,
    owner: Owner,
    work: (guest: GuestClient) => Promise<T>,
  ): Promise<T | undefined>;
}

/** The progress of an `ensure…` or `observe…`. `waitingFor` and `message` are for people to read. */
export type GuestObservation =
  | { state: "done" }
  | { state: "pending"; waitingFor: string }
  | { state: "failed"; message: string };

export const guestDone: GuestObservation = { state: "done" };
export const guestPending = (waitingFor: string): GuestObservation => ({
  state: "pending",
  waitingFor,
});
export const failed = (message: string): GuestObservation => ({ state: "failed", message });

export interface Ingress {
  /** An IPv4 address of the node network, outside the DHCP range. */
  address: string;
}

/** PEM. */
export interface Certificate {
  /** The certificate, followed by its issuers'. */
  chain: string;
  key: string;
}

/** The cluster's storage from the provider, and its storage class. */
export interface RbdStorage extends StorageAccess {
  storageClass: string;
  /** Whether it is the cluster's default storage class. */
  isDefault: boolean;
  reclaimPolicy: "Delete" | "Retain";
  filesystem: "ext4" | "xfs";
}

export interface OperatorRequest {
  /** The operator's name in the catalog. */
  package: string;
  channel: string;
  /** A CatalogSource in openshift-marketplace, such as `redhat-operators`. */
  source: string;
  /** The namespace to install it in. */
  namespace: string;
  /** Whether the operator watches only its own namespace; the default is all namespaces. */
  ownNamespace?: boolean;
}

/** A template's manifest, with its parameters filled in. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; [member: string]: Json | undefined };
  [member: string]: unknown;
}

declare module "../../kernel/saga/context.ts" {
  interface StepDeps {
    guests: Guests;
  }
}
