import { durations } from "../durations.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import { conditionsOf, isTrue } from "../operators/conditions.ts";
import type { Controller } from "../operators/control-loop.ts";
import type { Marks } from "../operators/marks.ts";
import { addressesIn, addressOf, isIn } from "../operators/metallb.ts";
import { read, type Service } from "../operators/objects.ts";
import type { AddressPoolObject, AdvertisementObject, WithConditions } from "./objects.ts";
import { running } from "./service-versions.ts";

/** The only namespace that the operator watches. */
const namespace = "metallb-system";

/** The MetalLB operator: starts speakers and controller for a MetalLB object. */
export function metalLbs(cluster: KubeCluster, marks: Marks): Controller {
  const all = () => cluster.list("MetalLB").map(({ metadata }) => metadata);
  return {
    kind: "MetalLB",
    also: { ClusterServiceVersion: all },
    reconcile({ metadata }) {
      if (metadata.namespace !== namespace) return undefined;
      if (!running(cluster, marks, "metallb-operator")) return undefined;
      const due = marks.begin(metadata.uid, "asked") + durations.guest.metalLb;
      const isUp = cluster.clock.now() >= due;
      const finding = isUp ? { reason: "Available" } : { reason: "Progressing" };
      cluster.patchStatus("MetalLB", namespace, metadata.name, (_, object) => ({
        conditions: conditionsOf(
          read<WithConditions>(object).status?.conditions,
          [{ type: "Available", status: isUp, ...finding }],
          { now: cluster.clock.now() },
        ),
      }));
      return isUp ? undefined : due;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

const poolAnnotation = "metallb.io/address-pool";
const addressAnnotation = "metallb.io/loadBalancerIPs";

/** MetalLB itself: assigns an address of its pool to a Service. */
export function loadBalancers(cluster: KubeCluster, marks: Marks): Controller {
  const all = () => cluster.list("Service").map(({ metadata }) => metadata);
  return {
    kind: "Service",
    also: { IPAddressPool: all, MetalLB: all },
    reconcile(object) {
      const service = read<Service>(object);
      if (service.spec.type !== "LoadBalancer" || addressOf(service)) return undefined;
      if (!isUp(cluster)) return undefined;
      const due = marks.begin(service.metadata.uid, "asked") + durations.loadBalancer;
      if (cluster.clock.now() < due) return due;
      const ip = freeAddress(cluster, service);
      if (!ip) return undefined;
      cluster.patchStatus(
        "Service",
        service.metadata.namespace,
        service.metadata.name,
        (status) => ({
          ...status,
          loadBalancer: { ingress: [{ ip, ipMode: "VIP" }] },
        }),
      );
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

const isUp = (cluster: KubeCluster): boolean =>
  cluster
    .list("MetalLB", { namespace })
    .some((object) => isTrue(read<WithConditions>(object).status?.conditions, "Available"));

const pools = (cluster: KubeCluster): AddressPoolObject[] =>
  cluster.list("IPAddressPool", { namespace }).map((pool) => read<AddressPoolObject>(pool));

function freeAddress(cluster: KubeCluster, service: Service): string | undefined {
  const { annotations = {} } = service.metadata;
  const named = annotations[poolAnnotation];
  const wanted = annotations[addressAnnotation];
  const taken = new Set(cluster.list("Service").map((other) => addressOf(read<Service>(other))));
  return pools(cluster)
    .filter(({ metadata, spec }) => (named ? metadata.name === named : spec.autoAssign))
    .flatMap(({ spec }) => spec.addresses.flatMap((range) => [...addressesIn(range)]))
    .find((address) => !taken.has(address) && (!wanted || address === wanted));
}

/** Whether a speaker on the nodes' network announces the address. */
export function isAdvertised(cluster: KubeCluster, address: string): boolean {
  const named = cluster
    .list("L2Advertisement", { namespace })
    .map((object: KubeObject) => read<AdvertisementObject>(object).spec.ipAddressPools);
  return pools(cluster)
    .filter(({ spec }) => spec.addresses.some((range) => isIn(range, address)))
    .some(({ metadata }) =>
      named.some((list) => list.length === 0 || list.includes(metadata.name)),
    );
}
