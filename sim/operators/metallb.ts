import ipaddr from "ipaddr.js";
import { durations } from "../durations.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import type { Controller } from "./control-loop.ts";
import type { HubWorld } from "./hub.ts";
import { type AddressPool, read, type Service } from "./objects.ts";

const poolNamespace = "metallb-system";

/** MetalLB on a hub: assigns Services of type LoadBalancer the first free address of the pools that may serve them. */
export function metallb({ cluster, marks }: HubWorld): Controller {
  return {
    kind: "Service",
    also: { IPAddressPool: () => cluster.list("Service").map(({ metadata }) => metadata) },
    reconcile(object) {
      const service = read<Service>(object);
      if (service.spec.type !== "LoadBalancer" || addressOf(service)) return undefined;
      const due = marks.begin(service.metadata.uid, "asked") + durations.loadBalancer;
      if (cluster.clock.now() < due) return due;
      const ip = freeAddress(cluster, service);
      if (!ip) return undefined;
      const { namespace, name } = service.metadata;
      cluster.patchStatus("Service", namespace, name, (status) => ({
        ...status,
        loadBalancer: { ingress: [{ ip, ipMode: "VIP" }] },
      }));
      return undefined;
    },
    gone: (object) => {
      marks.forget(object.metadata.uid);
    },
  };
}

export function addressOf({ status }: Service): string | undefined {
  return status?.loadBalancer?.ingress?.[0]?.ip;
}

function freeAddress(cluster: KubeCluster, service: Service): string | undefined {
  const taken = new Set(cluster.list("Service").map((other) => addressOf(read<Service>(other))));
  const pools = cluster
    .list("IPAddressPool", { namespace: poolNamespace })
    .map((pool) => read<AddressPool>(pool))
    .filter((pool) => serves(cluster, pool, service))
    .toSorted((a, b) => priorityOf(a) - priorityOf(b));
  for (const { spec } of pools) {
    for (const range of spec.addresses) {
      const free = addressesIn(range).find((address) => !taken.has(address));
      if (free) return free;
    }
  }
  return undefined;
}

/** The priority of a pool: the lowest number is first; a pool without one is last. */
function priorityOf({ spec }: AddressPool): number {
  return spec.serviceAllocation?.priority || Number.POSITIVE_INFINITY;
}

function serves(cluster: KubeCluster, { spec }: AddressPool, service: Service): boolean {
  if (spec.autoAssign === false) return false;
  const { namespaceSelectors = [] } = spec.serviceAllocation ?? {};
  if (namespaceSelectors.length === 0) return true;
  const { namespace = "" } = service.metadata;
  const labels = cluster.get("Namespace", undefined, namespace)?.metadata.labels ?? {};
  return namespaceSelectors.some(({ matchLabels }) =>
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value),
  );
}

/** The IPv4 addresses of `first-last` or of a CIDR. */
export function* addressesIn(range: string): Generator<string> {
  const [first, last] = range.includes("-") ? range.split("-") : boundsOf(range);
  if (first === undefined || last === undefined) return;
  for (let number = numberOf(first); number <= numberOf(last); number++) yield textOf(number);
}

/** Whether an address is in the range (see `addressesIn`). */
export function isIn(range: string, address: string): boolean {
  const [first, last] = range.includes("-") ? range.split("-") : boundsOf(range);
  if (first === undefined || last === undefined || !ipaddr.IPv4.isValid(address)) return false;
  const number = numberOf(address);
  return numberOf(first) <= number && number <= numberOf(last);
}

function boundsOf(cidr: string): [string, string] {
  return [
    ipaddr.IPv4.networkAddressFromCIDR(cidr).toString(),
    ipaddr.IPv4.broadcastAddressFromCIDR(cidr).toString(),
  ];
}

function numberOf(address: string): number {
  return ipaddr.IPv4.parse(address.trim())
    .toByteArray()
    .reduce((sum, byte) => sum * 256 + byte, 0);
}

function textOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
}
