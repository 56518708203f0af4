import type { Json } from "../../kernel/store/store.ts";
import type { Names } from "../hub/hub.ts";
import type { StorageAccess } from "../storage/storage.ts";

/**
 * The guest port: what Slipway does inside a hosted cluster, once it has nodes. Every `ensure…`
 * makes what can be made now and tells how far it is; it is called again until it says done, and is
 * harmless then too. There is nothing to take back: it all goes with the cluster. What the cluster
 * refuses is an observation (`failed`); a cluster that cannot be asked is thrown as `Unavailable`.
 */
export interface GuestClient {
  /** The router on this address of the nodes' network, with MetalLB (docs/reference/hub.md §2.10). */
  ensureIngress(ingress: Ingress): Promise<Observation>;
  /** What the router serves for names under the cluster's domain (docs/reference/hub.md §2.11). */
  ensureIngressCertificate(certificate: Certificate): Promise<Observation>;
  /** A storage class, on the cluster's own share of a Ceph pool. */
  ensureStorageClass(storage: RbdStorage): Promise<Observation>;
  /** An operator from a catalog, until its version is installed. */
  ensureOperator(operator: OperatorRequest): Promise<Observation>;
  /** The template's manifests, in their order. */
  ensureManifests(manifests: Manifest[]): Promise<Observation>;

  /** At least this many nodes are Ready. */
  observeNodes(atLeast: number): Promise<Observation>;
  /** Every cluster operator is available, ingress and console too. */
  observeOperators(): Promise<Observation>;
  /** This version is rolled out. */
  observeVersion(version: string): Promise<Observation>;

  /** Runs the template's test workload in a namespace of its own: done once all of it has succeeded. */
  ensureTestWorkload(manifests: Manifest[]): Promise<Observation>;
  removeTestWorkload(): Promise<Observation>;
}

/** Where clients of hosted clusters come from. */
export interface Guests {
  /**
   * Runs `work` with a client of a hosted cluster. Its kubeconfig is read from its hub for this and
   * kept nowhere. Throws Unavailable while there is none, and what the hub's client throws.
   */
  reach<T>(hub: string, names: Names, work: (guest: GuestClient) => Promise<T>): Promise<T>;
}

/** How far something is. `waitingFor` and `message` are read by people. */
export type Observation =
  | { state: "done" }
  | { state: "pending"; waitingFor: string }
  | { state: "failed"; message: string };

export const done: Observation = { state: "done" };
export const pending = (waitingFor: string): Observation => ({ state: "pending", waitingFor });
export const failed = (message: string): Observation => ({ state: "failed", message });

export interface Ingress {
  /** IPv4, of the nodes' network and outside of what DHCP gives out. */
  address: string;
}

/** PEM. */
export interface Certificate {
  /** With what leads up to an authority. */
  chain: string;
  key: string;
}

/** What the provider gave the cluster, and the class that is to lead there. */
export interface RbdStorage extends StorageAccess {
  storageClass: string;
  /** Whether claims that name no class get this one. */
  isDefault: boolean;
  reclaimPolicy: "Delete" | "Retain";
  filesystem: "ext4" | "xfs";
}

export interface OperatorRequest {
  /** Its name in the catalog. */
  package: string;
  channel: string;
  /** A CatalogSource in openshift-marketplace, such as `redhat-operators`. */
  source: string;
  /** Where it is installed. */
  namespace: string;
  /** It watches its own namespace only; the others watch all. */
  ownNamespace?: boolean;
}

/** An object of a template, parameters filled in. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; [member: string]: Json | undefined };
  [member: string]: unknown;
}
