import type { Dns } from "../ports/dns/dns.ts";
import type { Fabric } from "../ports/fabric/fabric.ts";
import type { HubClient } from "../ports/hub/hub.ts";
import type { Orphan, OrphanSystem } from "../ports/orphan.ts";
import type { Storage } from "../ports/storage/storage.ts";
import { domainOfName } from "../resources/cluster/dns-names.ts";
import type { Cluster } from "../resources/cluster/model.ts";
import { ownedDomain } from "../resources/cluster/owner.ts";
import { networkOf, ownerOf } from "../resources/site/owner.ts";
import type { SiteSystems } from "../resources/site/sites.ts";

/** An object outside that carries our ownership tag. */
export type ExternalObject = Pick<Orphan, "kind" | "id" | "cluster" | "number">;

/** A system outside, as the sweep for orphans uses it. */
export interface ExternalSystem {
  system: OrphanSystem;
  /** Everything that carries our mark, of whatever order. */
  list(): Promise<ExternalObject[]>;
  /**
   * Removes the remains of a cluster that is gone, or begins to; false if they may not be removed.
   * `things` are all that the sweep found of it here.
   */
  remove(cluster: Cluster, things: ExternalObject[]): Promise<boolean>;
}

export const systemsOfHub = (client: HubClient): ExternalSystem[] => [
  {
    system: "hub",
    list: async () =>
      (await client.observeAll()).map(({ kind, name, namespace, owner }) => ({
        kind,
        id: namespace === undefined || kind === "Agent" ? name : `${namespace}/${name}`,
        cluster: owner.id,
      })),
    async remove(cluster, things) {
      // Never removes a HostedCluster, nor what is around it: somebody's work may be in it.
      if (things.some(({ kind }) => kind === "HostedCluster")) return false;
      const [agents, objects] = [true, false].map((wanted) =>
        things.filter(({ kind }) => (kind === "Agent") === wanted),
      );
      if (objects?.length) await client.clusters.removeNamespace(ownerOf(cluster));
      // The agent itself stays; one that is bound keeps its labels.
      for (const { id } of agents ?? []) await client.agents.release(ownerOf(cluster), id);
      return true;
    },
  },
];

export const systemsOfSite = ({ fabric, dns, storage }: SiteSystems): ExternalSystem[] => [
  ...(fabric ? [ofFabric(fabric)] : []),
  ...(dns ? [ofDns(dns)] : []),
  ...(storage ? [ofStorage(storage)] : []),
];

const ofFabric = (fabric: Fabric): ExternalSystem => ({
  system: "fabric",
  list: async () =>
    (await fabric.observeAll()).map(({ kind, id, owner, number }) => ({
      kind,
      id,
      cluster: owner.id,
      ...(number !== undefined && { number }),
    })),
  async remove(cluster) {
    const network = networkOf(cluster);
    const inTurn = [
      () => fabric.removeFloatingIps(network),
      () => fabric.removeAttachments(network),
      () => fabric.removeLayer3(network),
      () => fabric.removeLayer2(network),
    ];
    // Stop at the first part that is still in use; the next sweep continues.
    for (const remove of inTurn) if ((await remove()).state !== "absent") break;
    return true;
  },
});

const ofDns = (dns: Dns): ExternalSystem => ({
  system: "dns",
  list: async () =>
    (await dns.observeAll((_, name) => domainOfName(name))).map(({ id, domain }) => ({
      kind: "dns_records",
      id: domain,
      cluster: id,
    })),
  async remove(cluster, things) {
    for (const { id: domain } of things) await dns.remove(ownedDomain(cluster, domain));
    return true;
  },
});

const ofStorage = (storage: Storage): ExternalSystem => ({
  system: "storage",
  list: async () =>
    (await storage.observeAll()).map(({ kind, name, owner }) => ({
      kind,
      id: name,
      cluster: owner.id,
    })),
  async remove(cluster) {
    // A share with volumes stays: they belong to the tenant, and people have to decide.
    return (await storage.remove(ownerOf(cluster))).length === 0;
  },
});
