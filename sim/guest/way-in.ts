import type { KubeCluster } from "../kubernetes/cluster.ts";
import { conditionsOf } from "../operators/conditions.ts";
import type { Controller } from "../operators/control-loop.ts";
import { addressOf } from "../operators/metallb.ts";
import { read, type Service } from "../operators/objects.ts";
import { isAdvertised } from "./metallb.ts";
import { ensure, type IngressControllerObject } from "./objects.ts";

/** Whether a name resolves to an address by the world's DNS. */
export type Resolves = (name: string, address: string) => boolean;

/** Whether an address is on the network of the cluster's nodes, so that they can announce it. */
export type IsLocal = (address: string) => boolean;

/** The ingress router's address, once clients can reach it: it has an address, and a speaker announces that. */
export function routerAddress(cluster: KubeCluster, isLocal: IsLocal): string | undefined {
  const service = cluster.get("Service", "openshift-ingress", "external-ingress");
  const address = service && addressOf(read<Service>(service));
  if (address === undefined || !isAdvertised(cluster, address)) return undefined;
  return isLocal(address) ? address : undefined;
}

/** The domain of all routes; undefined before the cluster's configuration contains it. */
function domainOf(cluster: KubeCluster): string | undefined {
  const spec = cluster.get("Ingress", undefined, "cluster")?.spec as { domain: string } | undefined;
  return spec?.domain;
}

/** Whether the console's own name resolves to the router's address. */
export function findsItself(cluster: KubeCluster, router: string, resolves: Resolves): boolean {
  const domain = domainOf(cluster);
  return domain !== undefined && resolves(`console-openshift-console.${domain}`, router);
}

/** Writes the ingress domain into a new hosted cluster, as HyperShift does. */
export function createWayIn(cluster: KubeCluster, baseDomain: string): void {
  const domain = `apps.${baseDomain}`;
  ensure(cluster, {
    apiVersion: "config.openshift.io/v1",
    kind: "Ingress",
    metadata: { name: "cluster" },
    spec: { domain },
  });
  ensure(cluster, {
    apiVersion: "operator.openshift.io/v1",
    kind: "IngressController",
    metadata: { namespace: "openshift-ingress-operator", name: "default" },
    spec: { domain, defaultCertificate: { name: ownCertificate } },
  });
}

/** The name of HyperShift's default certificate, whose content is not simulated. */
const ownCertificate = "default-ingress-cert";

/** The ingress operator: uses a certificate once its Secret exists. */
export function ingressControllers(cluster: KubeCluster, isLocal: IsLocal): Controller {
  const all = () => cluster.list("IngressController").map(({ metadata }) => metadata);
  return {
    kind: "IngressController",
    also: { Secret: all, Service: all, L2Advertisement: all },
    reconcile(object) {
      const { metadata, spec, status } = read<IngressControllerObject>(object);
      const certificate = spec.defaultCertificate?.name ?? ownCertificate;
      const hasCertificate =
        certificate === ownCertificate ||
        cluster.get("Secret", "openshift-ingress", certificate) !== undefined;
      const isUp = routerAddress(cluster, isLocal) !== undefined;
      const available = isUp
        ? { reason: "IngressControllerAvailable" }
        : { reason: "IngressControllerUnavailable", message: "LoadBalancerReady=False" };
      const observed = hasCertificate ? metadata.generation : status?.observedGeneration;
      cluster.patchStatus("IngressController", metadata.namespace, metadata.name, () => ({
        ...(observed !== undefined && { observedGeneration: observed }),
        conditions: conditionsOf(
          status?.conditions,
          [{ type: "Available", status: isUp, ...available }],
          { now: cluster.clock.now() },
        ),
      }));
      return undefined;
    },
  };
}
