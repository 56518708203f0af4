import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import type { ApiServers } from "./api-servers.ts";
import { Disconnected } from "./faulty.ts";
import { guestControllers, prepareGuest } from "./guest/guest.ts";
import { serving } from "./guest/serving.ts";
import {
  createWayIn,
  findsItself,
  type IsLocal,
  type Resolves,
  routerAddress,
} from "./guest/way-in.ts";
import { hostedKinds } from "./kinds.ts";
import { kubernetesApi } from "./kubernetes/api.ts";
import type { KeyPair } from "./kubernetes/certificates.ts";
import { KubeCluster } from "./kubernetes/cluster.ts";
import { masters, rbac } from "./kubernetes/rbac.ts";
import { clusterVersion, createClusterVersion } from "./operators/cluster-version.ts";
import { ControlLoop } from "./operators/control-loop.ts";
import type { ControlPlanes, Hosted } from "./operators/hub.ts";
import type { Marks } from "./operators/marks.ts";
import { nodes } from "./operators/nodes.ts";
import type { Release } from "./release.ts";

/** Facts about a hosted cluster from outside of it. */
export interface Surroundings {
  /** Whether clients can reach its API server now. */
  isReachable(): boolean;
  resolves: Resolves;
  isLocal: IsLocal;
  /** The certificate authority (PEM) whose client certificates the API server accepts now, if any. */
  clientAuthority(): string | undefined;
}

interface Open {
  hosted: Hosted;
  loop: ControlLoop;
  /** How clients reach it now, and at the last run of its controllers. */
  wayIn(): string;
  seen?: string;
}

const admin = { name: "system:admin", groups: [masters, "system:authenticated"] };

interface HostedClustersOptions {
  database: DatabaseSync;
  hub: string;
  clock: Clock;
  wall: Clock;
  random: () => number;
  marks: Marks;
  servers: ApiServers;
  /** The hub's authority, which its hosted clusters share. */
  authority: string;
  identity: KeyPair;
  /** The facts about the hosted cluster with this control-plane namespace. */
  surroundings(namespace: string): Surroundings;
  /** Called with the control-plane namespace of a changed hosted cluster. */
  onChange(namespace: string): void;
}

/** The hosted clusters of one hub, by control-plane namespace: each a cluster with its own API server and operators. */
export class HostedClusters implements ControlPlanes {
  readonly #options: HostedClustersOptions;
  readonly #open = new Map<string, Open>();

  constructor(options: HostedClustersOptions) {
    options.database.exec(`CREATE TABLE IF NOT EXISTS hosted_clusters (
      hub TEXT, namespace TEXT, password TEXT NOT NULL, PRIMARY KEY (hub, namespace)
    ) STRICT, WITHOUT ROWID`);
    this.#options = options;
  }

  /** Starts the hosted clusters that were open when the world stopped. */
  start(): void {
    for (const namespace of this.list()) this.#start(namespace);
  }

  stop(): void {
    for (const { loop } of this.#open.values()) loop.stop();
    this.#open.clear();
  }

  /** The namespaces of all hosted clusters. */
  list(): string[] {
    const { database, hub } = this.#options;
    return database
      .prepare("SELECT namespace FROM hosted_clusters WHERE hub = ? ORDER BY namespace")
      .all(hub)
      .map((row) => String(row.namespace));
  }

  get(namespace: string): Hosted | undefined {
    return this.#open.get(namespace)?.hosted;
  }

  /** Runs the controllers that depend on facts outside their cluster. */
  wake(): void {
    for (const open of this.#open.values()) {
      const { hosted, loop } = open;
      const wayIn = open.wayIn();
      if (wayIn === open.seen) continue;
      open.seen = wayIn;
      for (const kind of ["ClusterVersion", "IngressController"]) {
        for (const { metadata } of hosted.cluster.list(kind)) loop.enqueue(kind, metadata);
      }
    }
  }

  /** Creates the hosted cluster unless it exists. */
  open(namespace: string, release: Release, baseDomain: string): Hosted {
    const hosted = this.get(namespace) ?? this.#create(namespace);
    createWayIn(hosted.cluster, baseDomain);
    createClusterVersion(hosted.cluster, release);
    return hosted;
  }

  /** Closes the hosted cluster and removes everything in it. */
  close(namespace: string): void {
    const { database, hub, marks, servers } = this.#options;
    const open = this.#open.get(namespace);
    if (open) {
      open.loop.stop();
      const { kinds, store } = open.hosted.cluster;
      for (const kind of kinds.all) {
        for (const { metadata } of store.list(kind)) marks.forget(metadata.uid);
      }
    }
    this.#open.delete(namespace);
    const name = this.#name(namespace);
    servers.remove(name);
    for (const table of ["kube_clusters", "kube_objects", "kube_owners"]) {
      database.prepare(`DELETE FROM ${table} WHERE cluster = ?`).run(name);
    }
    database
      .prepare("DELETE FROM hosted_clusters WHERE hub = ? AND namespace = ?")
      .run(hub, namespace);
  }

  #create(namespace: string): Hosted {
    const { database, hub, random } = this.#options;
    const password = Array.from({ length: 4 }, () =>
      Math.floor(random() * 36 ** 5)
        .toString(36)
        .padStart(5, "0"),
    ).join("-");
    database
      .prepare("INSERT OR IGNORE INTO hosted_clusters VALUES (?, ?, ?)")
      .run(hub, namespace, password);
    return this.#start(namespace);
  }

  #start(namespace: string): Hosted {
    const { database, hub, clock, wall, random, marks, servers } = this.#options;
    const { authority, identity, onChange } = this.#options;
    const { isReachable, resolves, isLocal, clientAuthority } =
      this.#options.surroundings(namespace);
    const name = this.#name(namespace);
    const cluster = new KubeCluster({ database, name, kinds: hostedKinds, clock, random });
    prepareGuest(cluster);
    const loop = new ControlLoop(cluster, [
      nodes(cluster, marks),
      clusterVersion(cluster, marks, resolves, isLocal),
      ...guestControllers(cluster, marks, isLocal),
    ]);
    const row = database
      .prepare("SELECT password FROM hosted_clusters WHERE hub = ? AND namespace = ?")
      .get(hub, namespace);
    const hosted: Hosted = {
      cluster,
      password: String(row?.password),
      get kubeconfig() {
        return servers.kubeconfig(name);
      },
    };
    const wayIn = () => {
      const router = routerAddress(cluster, isLocal);
      return `${router} ${router !== undefined && findsItself(cluster, router, resolves)}`;
    };
    this.#open.set(namespace, { hosted, loop, wayIn });
    for (const kind of ["Node", "ClusterVersion"]) cluster.watch(kind, () => onChange(namespace));
    loop.start();
    servers.serve(name, {
      handler: (token) => {
        const api = kubernetesApi(cluster, {
          authenticate: (given) => (given === token ? admin : undefined),
          clientAuthority,
          authorize: rbac(cluster),
          wall,
          ...serving(cluster, marks),
        });
        return async (request, peer) => {
          if (!isReachable()) throw new Disconnected();
          return api(request, peer);
        };
      },
      cluster: namespace,
      authority,
      identity,
      onListening: () => onChange(namespace),
    });
    return hosted;
  }

  /** The name of a hosted cluster in the database, and of its API server. */
  #name(namespace: string): string {
    return `${this.#options.hub}/${namespace}`;
  }
}
