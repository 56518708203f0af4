import type { Dns } from "../ports/dns/dns.ts";
import type { Fabric } from "../ports/fabric/fabric.ts";
import { namesOf } from "../ports/hub/clusters/names.ts";
import type { HubClient } from "../ports/hub/hub.ts";
import type { Storage } from "../ports/storage/storage.ts";
import { domainOfName } from "../resources/cluster/dns-names.ts";
import type { Cluster } from "../resources/cluster/model.ts";
import { networkOf, ownedDomain, ownerOf } from "../resources/cluster/owner.ts";
import type { SiteSystems } from "../site/sites.ts";
import type { Orphan, OrphanSystem } from "./orphan.ts";

/** A thing outside that carries our mark. */
export type Thing = Pick<Orphan, "kind" | "id" | "cluster" | "number">;

/** A system outside, as the sweep sees it. */
export interface Outside {
  system: OrphanSystem;
  /** Everything that carries our mark, of whatever order. */
  list(): Promise<Thing[]>;
  /**
   * Takes away what is left of a cluster that is gone, or begins to; false when that is nothing
   * that may be taken away. `things` are all that were found of it here.
   */
  remove(cluster: Cluster, things: Thing[]): Promise<boolean>;
}

export const outsideOfHub = (client: HubClient): Outside[] => [
  {
    system: "hub",
    list: async () =>
      (await client.observeAll()).map(({ kind, name, namespace, cluster }) => ({
        kind,
        id: namespace === undefined || kind === "Agent" ? name : `${namespace}/${name}`,
        cluster,
      })),
    async remove(cluster, things) {
      // Never a HostedCluster, nor what stands around one: there may be somebody's work in it.
      if (things.some(({ kind }) => kind === "HostedCluster")) return false;
      const [agents, objects] = [true, false].map((wanted) =>
        things.filter(({ kind }) => (kind === "Agent") === wanted),
      );
      if (objects?.length) await client.removeNamespace(namesOf(cluster));
      // The agent stays; one that is bound keeps its labels.
      for (const { id } of agents ?? []) await client.releaseAgent(namesOf(cluster), id);
      return true;
    },
  },
];

export const outsideOfSite = ({ fabric, dns, storage }: SiteSystems): Outside[] => [
  ...(fabric ? [ofFabric(fabric)] : []),
  ...(dns ? [ofDns(dns)] : []),
  ...(storage ? [ofStorage(storage)] : []),
];

const ofFabric = (fabric: Fabric): Outside => ({
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

const ofDns = (dns: Dns): Outside => ({
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

const ofStorage = (storage: Storage): Outside => ({
  system: "storage",
  list: async () =>
    (await storage.observeAll()).map(({ kind, name, owner }) => ({
      kind,
      id: name,
      cluster: owner.id,
    })),
  async remove(cluster) {
    // What has volumes in it stays: they are the tenant's, and people have to decide.
    return (await storage.remove(ownerOf(cluster))).length === 0;
  },
});
