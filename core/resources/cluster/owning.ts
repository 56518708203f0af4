import { networkOf, ownerOf } from "../../at-site/owner.ts";
import type { Owning } from "../../at-site/owners.ts";
import { storageOf } from "../cluster-template/content/render.ts";
import { loadRevision } from "../cluster-template/content/revisions.ts";
import { domainOfName } from "./dns-names.ts";
import { ownedDomain, recordsOf } from "./owner.ts";

/** Clusters own parts at sites and on hubs. */
export const owning: Owning<"cluster"> = {
  owner: ownerOf,
  network: networkOf,
  domains: { ofName: domainOfName, owned: ownedDomain, recordsOf },
  onHub: {
    keeps: ["HostedCluster"],
    remove: (client, cluster) => client.clusters.removeNamespace(ownerOf(cluster)),
  },
  parts: {
    areMade: ({ published }) => published,
    wantsStorage: async ({ store }, cluster) =>
      storageOf(await loadRevision(store, cluster)) !== undefined,
  },
};
