import type { Deps } from "../../../core/kernel/deps.ts";
import { domainOf } from "../../../core/resources/cluster/domain.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { ownedDomain, recordsOf } from "../../../core/resources/cluster/owner.ts";
import { storageOf } from "../../../core/resources/cluster-template/content/render.ts";
import { loadRevision } from "../../../core/resources/cluster-template/content/revisions.ts";
import type { Names } from "../site/dns.ts";
import { baseDomainOf } from "./deployment.ts";

/** The cluster's requirements at its site, in the form that the site's steps expect. */

/** The names `api`, `api-int` and `*.apps` under the cluster's domain. */
export const clusterNames: Names<Cluster> = {
  domainOf: (cluster, hub) => domainOf(cluster, baseDomainOf(hub)),
  owned: ownedDomain,
  recordsOf,
};

/** The volume storage that the cluster's template asks for, if any. */
export const clusterStorage = async (cluster: Cluster, { store }: Pick<Deps, "store">) =>
  storageOf(await loadRevision(store, cluster));
