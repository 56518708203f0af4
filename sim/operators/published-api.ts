import type { KubeCluster } from "../kubernetes/cluster.ts";
import { leadsTo, type SiteEffects } from "../site-effects.ts";
import { addressOf } from "./metallb.ts";
import { controlPlaneNamespace, type HostedCluster, read, type Service } from "./objects.ts";

/** The connections of clients and nodes to the API servers of hosted clusters. */

/** The API server's name for clients; undefined where the order has none. */
export function hostnameOf({ spec }: HostedCluster): string | undefined {
  const published = spec.services.find(({ service }) => service === "APIServer");
  const strategy = published?.servicePublishingStrategy;
  return strategy?.type === "LoadBalancer" ? strategy.loadBalancer?.hostname : undefined;
}

/** A hub, and the control-plane namespace of a hosted cluster on it. */
export type ControlPlaneOn = readonly [cluster: KubeCluster, namespace: string];

/** Whether the hosted cluster was ordered with a name, so that it is reachable by that name only. */
export function isNamed(of: ControlPlaneOn): boolean {
  return publishedName(of) !== undefined;
}

/** Whether clients outside can reach the hosted API server. */
export function isReachableByClients(site: SiteEffects, of: ControlPlaneOn): boolean {
  const hostname = publishedName(of);
  return hostname === undefined || leads(site, [hostname], of);
}

/** The addresses that the names of a hosted API server resolve to now. */
export function waysTo(site: SiteEffects, hosted: HostedCluster) {
  const hostname = hostnameOf(hosted);
  return (hostname === undefined ? [] : namesFor(hostname)).map((name) =>
    site.resolve(name).map((address) => [address, site.addressBehind(address)]),
  );
}

/** The names that nodes use for an API server. */
const namesFor = (hostname: string): string[] => [hostname, hostname.replace(/^[^.]+/, "api-int")];

/** Whether nodes can reach the hosted API server; they also use the internal name. */
export function isReachableByNodes(site: SiteEffects, of: ControlPlaneOn): boolean {
  const hostname = publishedName(of);
  if (hostname === undefined) return true;
  return leads(site, namesFor(hostname), of);
}

function publishedName([cluster, namespace]: ControlPlaneOn): string | undefined {
  const found = cluster
    .list("HostedCluster")
    .find((hosted) => controlPlaneNamespace(hosted) === namespace);
  return found && hostnameOf(read<HostedCluster>(found));
}

function leads(
  site: SiteEffects,
  hostnames: string[],
  [cluster, namespace]: ControlPlaneOn,
): boolean {
  const service = cluster.get("Service", namespace, "kube-apiserver");
  const address = service && addressOf(read<Service>(service));
  if (address === undefined) return false;
  return hostnames.some((hostname) => leadsTo(site, hostname, address));
}
