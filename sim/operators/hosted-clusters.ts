import { durations } from "../durations.ts";
import type { KubeCluster, KubeInput } from "../kubernetes/cluster.ts";
import { lookUpRelease, type Release } from "../release.ts";
import { moveTo, rollout } from "./cluster-version.ts";
import { type Controller, earliest } from "./control-loop.ts";
import { addFinalizer } from "./finalizers.ts";
import { refusalsOf, upgradeOf } from "./hosted-cluster-refusals.ts";
import { removeHostedCluster } from "./hosted-cluster-removal.ts";
import { type ControlPlane, hostedClusterStatus } from "./hosted-cluster-status.ts";
import type { HubWorld } from "./hub.ts";
import { addressOf } from "./metallb.ts";
import { readyNodes } from "./nodes.ts";
import {
  controlPlaneNamespace,
  type HostedCluster,
  hypershiftFinalizer,
  type NodePool,
  ownedBy,
  read,
  type Service,
} from "./objects.ts";
import { isDown } from "./outage.ts";
import { hostnameOf } from "./published-api.ts";

const hasBeenAvailable = "hypershift.openshift.io/HasBeenAvailable";

/** HyperShift's HostedCluster controller, from the creation of a control plane to its removal. */
export function hostedClusters(world: HubWorld): Controller {
  const { cluster, marks } = world;
  const all = () => cluster.list("HostedCluster");
  const inNamespace = (namespace = "") =>
    cluster.list("HostedCluster", { namespace }).map(({ metadata }) => metadata);
  return {
    kind: "HostedCluster",
    also: {
      Namespace: () => all().map(({ metadata }) => metadata),
      Secret: ({ metadata }) => inNamespace(metadata.namespace),
      NodePool: (pool) =>
        inNamespace(pool.metadata.namespace).filter(
          ({ name }) => name === read<NodePool>(pool).spec.clusterName,
        ),
      Service: ({ metadata }) =>
        all()
          .filter((hosted) => controlPlaneNamespace(hosted) === metadata.namespace)
          .map((hosted) => hosted.metadata),
    },
    reconcile(object) {
      const hosted = read<HostedCluster>(object);
      if (hosted.metadata.deletionTimestamp) return removeHostedCluster(world, hosted);
      addFinalizer(cluster, hosted, hypershiftFinalizer);
      return advance(world, hosted);
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

/** Makes all due changes and writes the status; returns when the next changes are due. */
function advance(world: HubWorld, hosted: HostedCluster): number | undefined {
  const { cluster, marks } = world;
  const { uid, namespace, name } = hosted.metadata;
  const now = cluster.clock.now();
  const controlNamespace = controlPlaneNamespace(hosted);
  const running = world.hosted.get(controlNamespace);
  const looked = upgradeOf(
    lookUpRelease(hosted.spec.release.image),
    running && rollout(running.cluster),
  );
  const refusals = refusalsOf(cluster, hosted, looked);
  const wasAccepted = marks.get(uid, "accepted");
  const accepted =
    wasAccepted ?? (refusals.length === 0 ? marks.begin(uid, "accepted") : undefined);
  const release = "version" in looked ? looked : undefined;

  const createAt = accepted === undefined ? undefined : accepted + durations.namespace;
  const isCreated = createAt !== undefined && now >= createAt;
  if (isCreated) createControlPlane(cluster, hosted, controlNamespace);
  const service = isCreated
    ? cluster.get("Service", controlNamespace, "kube-apiserver")
    : undefined;
  const address = service && addressOf(read<Service>(service));
  const began = address ? marks.begin(uid, "infrastructure") : undefined;
  const isUp = !isDown(hosted);
  const passed = (after: number) => began !== undefined && now >= began + after;

  const isBooted = passed(durations.apiServer);
  const api =
    isBooted && release
      ? startApiServer(world, hosted, controlNamespace, release)
      : // With a refused release the running one stays.
        running;
  const upgradeAt = api && release && upgrade(world, hosted, api.cluster, release);
  const isApiServerUp = isUp && api !== undefined;
  const wasAvailable = marks.get(uid, "available");
  const isAvailable = isApiServerUp && passed(durations.available);
  const hostname = hostnameOf(hosted);
  const resolves = (name: string) => world.site.resolve(name).length > 0;
  const control: ControlPlane = {
    refusals,
    version: release?.version ?? "",
    accepted,
    address,
    name: hostname === undefined ? undefined : { hostname, resolves: resolves(hostname) },
    isEtcdUp: isUp && passed(durations.etcd),
    isApiServerUp,
    isIgnitionUp: isApiServerUp && passed(durations.ignition),
    isAvailable,
    availableAt: isAvailable ? marks.begin(uid, "available") : wasAvailable,
    readyNodes: api ? readyNodes(api.cluster) : 0,
    rollout: api && rollout(api.cluster),
  };
  if (isAvailable) annotateAvailable(cluster, hosted);
  const status = hostedClusterStatus(hosted, control, now);
  cluster.patchStatus("HostedCluster", namespace, name, () => ({ ...status }));

  const steps = [durations.etcd, durations.apiServer, durations.ignition, durations.available];
  const due = steps.map((after) => (began === undefined ? undefined : began + after));
  return earliest(...[createAt, upgradeAt, ...due].filter((at) => at !== undefined && at > now));
}

/** Starts the upgrade of a cluster whose release differs from the ordered one, after a short delay. */
function upgrade(
  { cluster, marks }: HubWorld,
  { metadata: { uid } }: HostedCluster,
  guest: KubeCluster,
  release: Release,
): number | undefined {
  if (rollout(guest)?.desired.image === release.image) {
    marks.clear(uid, "upgrade");
    return undefined;
  }
  const begins = marks.begin(uid, "upgrade") + durations.upgrade.begin;
  if (cluster.clock.now() < begins) return begins;
  moveTo(guest, release);
  return undefined;
}

function createControlPlane(cluster: KubeCluster, hosted: HostedCluster, namespace: string): void {
  const { name, namespace: home = "" } = hosted.metadata;
  const labels = { "hypershift.openshift.io/hosted-control-plane": "true" };
  ensure(cluster, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } });
  if (cluster.get("Namespace", undefined, namespace)?.metadata.deletionTimestamp) return;
  ensure(cluster, {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "HostedControlPlane",
    metadata: { namespace, name },
    spec: {
      hostedCluster: { namespace: home, name },
      agentNamespace: hosted.spec.platform.agent.agentNamespace,
    },
  });
  ensure(cluster, {
    apiVersion: "v1",
    kind: "Service",
    metadata: { namespace, name: "kube-apiserver" },
    spec: { type: "LoadBalancer", ports: [{ port: 6443, targetPort: "client" }] },
  });
}

/** The hosted API server with its Secrets; undefined until it listens. */
function startApiServer(
  world: HubWorld,
  hosted: HostedCluster,
  namespace: string,
  release: Release,
) {
  const api = world.hosted.open(namespace, release, hosted.spec.dns.baseDomain);
  if (!api.kubeconfig) return undefined;
  const { name, namespace: home } = hosted.metadata;
  const secret = (suffix: string, key: string, value: string): KubeInput => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      ...(home && { namespace: home }),
      name: `${name}-${suffix}`,
      ownerReferences: [ownedBy(hosted)],
    },
    type: "Opaque",
    data: { [key]: Buffer.from(value).toString("base64") },
  });
  ensure(world.cluster, secret("admin-kubeconfig", "kubeconfig", api.kubeconfig));
  if (!hosted.spec.configuration?.oauth) {
    ensure(world.cluster, secret("kubeadmin-password", "password", api.password));
  }
  return api;
}

function ensure(cluster: KubeCluster, object: KubeInput): void {
  const { namespace, name = "" } = object.metadata;
  if (!cluster.get(object.kind, namespace, name)) cluster.create(object);
}

function annotateAvailable(cluster: KubeCluster, { metadata }: HostedCluster): void {
  if (metadata.annotations?.[hasBeenAvailable] === "true") return;
  cluster.mutate("HostedCluster", metadata.namespace, metadata.name, (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, [hasBeenAvailable]: "true" },
    },
  }));
}
