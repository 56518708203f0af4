import type { Machine } from "../bmc/machine.ts";
import type { Holdable } from "../faults.ts";
import type { Host } from "../host.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import type { Release } from "../release.ts";
import type { Servers } from "../servers.ts";
import type { SiteEffects } from "../site-effects.ts";
import type { Marks } from "./marks.ts";

/** A cluster that the hub hosts: an API server of its own. */
export interface Hosted {
  cluster: KubeCluster;
  /** The password of kubeadmin. */
  password: string;
  /** The kubeconfig; undefined until the cluster's API server listens. */
  readonly kubeconfig: string | undefined;
}

/** The hosted clusters of a hub, by the name of their control-plane namespace. */
export interface ControlPlanes {
  get(namespace: string): Hosted | undefined;
  /** Makes the hosted cluster unless it exists. */
  open(namespace: string, release: Release, baseDomain: string): Hosted;
  /** Ends the hosted cluster and removes everything in it. */
  close(namespace: string): void;
}

/** The surroundings of the operators of one hub. */
export interface HubWorld {
  /** The hub's id. */
  id: string;
  cluster: KubeCluster;
  marks: Marks;
  /** Numbers in [0, 1). */
  random: () => number;
  hosted: ControlPlanes;
  site: SiteEffects;
  /** What the machines run that have a controller; the others run what they should. */
  servers: Servers;
  /** What a discovery agent finds in its server; each call counts as one occurrence of a fault. */
  lookInto(host: Host): Machine | undefined;
  /** The machine behind an Agent. */
  host(agent: string): Host | undefined;
  /** Whether this installation is to fail: each call counts as one occurrence of the fault. */
  failsInstallation(host: Host): boolean;
  /** Whether this is held up at the host by a fault; asked again after `durations.held`. */
  holds(what: Holdable, host: Host): boolean;
}
