import type { Machine } from "../bmc/machine.ts";
import type { Holdable } from "../faults.ts";
import type { Host } from "../host.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import type { Release } from "../release.ts";
import type { Servers } from "../servers.ts";
import type { SiteEffects } from "../site-effects.ts";
import type { Marks } from "./marks.ts";

/** A cluster that the hub hosts, with its own API server. */
export interface Hosted {
  cluster: KubeCluster;
  /** The password of kubeadmin. */
  password: string;
  /** The kubeconfig; undefined until the cluster's API server listens. */
  readonly kubeconfig: string | undefined;
}

/** The hosted clusters of a hub, by control-plane namespace. */
export interface ControlPlanes {
  get(namespace: string): Hosted | undefined;
  /** Creates the hosted cluster unless it exists. */
  open(namespace: string, release: Release, baseDomain: string): Hosted;
  /** Closes the hosted cluster and removes everything in it. */
  close(namespace: string): void;
}

/** What the operators of one hub share. */
export interface HubWorld {
  /** The hub's id. */
  id: string;
  cluster: KubeCluster;
  marks: Marks;
  /** Numbers in [0, 1). */
  random: () => number;
  hosted: ControlPlanes;
  site: SiteEffects;
  /** The servers with a controller; hosts without one run what they should. */
  servers: Servers;
  /** The hardware that a discovery agent reads in its server; each call counts as one occurrence of a fault. */
  lookInto(host: Host): Machine | undefined;
  /** The machine behind an Agent. */
  host(agent: string): Host | undefined;
  /** Whether a fault makes this installation fail; each call counts as one occurrence. */
  failsInstallation(host: Host): boolean;
  /** Whether a fault delays this event at the host; checked again after `durations.held`. */
  holds(what: Holdable, host: Host): boolean;
}
