import type { DatabaseSync } from "node:sqlite";
import { clusterLabel } from "../core/ports/hub/clusters/labels.ts";
import { ownerLabel, tenantLabel } from "../core/ports/owner.ts";
import type { Host } from "./host.ts";
import type { Hub } from "./hub.ts";
import type { KubeObject } from "./kubernetes/cluster.ts";
import { resourceName } from "./kubernetes/object.ts";
import { claimItem, type LedgerItem, type Owner } from "./ledger.ts";
import { controlPlaneNamespace, read } from "./operators/objects.ts";

/** The tenants of clusters; kept, since a cluster's last objects may not name its tenant. */
export class Tenants {
  readonly #insert;
  readonly #select;

  constructor(database: DatabaseSync) {
    database.exec(`CREATE TABLE IF NOT EXISTS cluster_tenants (
      cluster TEXT PRIMARY KEY, tenant TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`);
    this.#insert = database.prepare("INSERT OR IGNORE INTO cluster_tenants VALUES (?, ?)");
    this.#select = database.prepare("SELECT tenant FROM cluster_tenants WHERE cluster = ?");
  }

  /** Stores the tenant of an object with both labels. */
  learn({ metadata }: KubeObject): void {
    const cluster = metadata.labels?.[clusterLabel];
    const tenant = metadata.labels?.[tenantLabel];
    if (cluster && tenant) this.#insert.run(cluster, tenant);
  }

  /** The owner in an object's labels. */
  ownerOf(object: KubeObject | undefined): Owner | null {
    const labels = object?.metadata.labels ?? {};
    for (const kind of ["virtual_network", "subnet", "security_group"]) {
      const id = labels[ownerLabel(kind)];
      if (id) return { tenant: labels[tenantLabel] ?? "", kind, id };
    }
    const id = labels[clusterLabel];
    if (!id) return null;
    return { tenant: String(this.#select.get(id)?.tenant ?? ""), kind: "cluster", id };
  }
}

/** Every object on a hub, with its owner. */
export function hubItems(hub: Hub, tenants: Tenants): LedgerItem[] {
  const { cluster } = hub;
  const system = `hub:${hub.id}`;
  const controlPlanes = new Map(
    cluster
      .list("HostedCluster")
      .map((hosted) => [controlPlaneNamespace(hosted), tenants.ownerOf(hosted)]),
  );
  // Objects that an operator creates for a HostedCluster or a network have its owner.
  const byUid = new Map(
    [...cluster.list("HostedCluster"), ...cluster.list("ClusterUserDefinedNetwork")].map(
      (owner) => [owner.metadata.uid, tenants.ownerOf(owner)],
    ),
  );
  const ownerOf = (object: KubeObject): Owner | null => {
    const { namespace, name, ownerReferences = [] } = object.metadata;
    const space = object.kind === "Namespace" ? name : (namespace ?? "");
    const references = ownerReferences.map(({ uid }) => byUid.get(uid));
    const derived = [controlPlanes.get(space), ...references].find(Boolean);
    return tenants.ownerOf(object) ?? derived ?? null;
  };
  const objects = cluster.kinds.all
    .filter(({ kind }) => kind !== "Event" && kind !== "Lease")
    .flatMap((kind) =>
      cluster.store.list(kind).map((object) => ({
        kind: kind.kind,
        id: [resourceName(kind), object.metadata.namespace, object.metadata.name]
          .filter(Boolean)
          .join("/"),
        system,
        owner: ownerOf(object),
      })),
    );
  const hosted = hub.hosted.list().map((namespace) => ({
    kind: "api_server",
    id: namespace,
    system,
    owner: controlPlanes.get(namespace) ?? null,
  }));
  return [...objects, ...hosted];
}

/** The BareMetalHosts of a hub whose consumer is a host of Slipway. */
export const bareMetalHostClaims = ({ id, cluster }: Hub): LedgerItem[] =>
  cluster.list("BareMetalHost").flatMap((object) => {
    const { metadata, spec } = read<Claimable>(object);
    const { apiVersion, name = "" } = spec?.consumerRef ?? {};
    if (!apiVersion?.startsWith("slipway.dev/")) return [];
    return [claimItem(`metal3:${metadata.namespace}/${metadata.name}`, `hub:${id}`, name)];
  });

type Claimable = KubeObject & { spec?: { consumerRef?: { apiVersion?: string; name?: string } } };

/** The host, owned by the cluster that its agent's label names. */
export function hostItem(host: Host, agent: KubeObject | undefined, tenants: Tenants): LedgerItem {
  return { kind: "host", id: host.id, system: "hardware", owner: tenants.ownerOf(agent) };
}
