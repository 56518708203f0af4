import { networkOf, ownerOf } from "../site/owner.ts";
import type { Owning } from "../site/owners.ts";
import { domainOfName } from "./dns-names.ts";
import { ownedDomain } from "./owner.ts";

/** What clusters own outside. */
export const owning: Owning<"cluster"> = {
  owner: ownerOf,
  network: networkOf,
  domains: { ofName: domainOfName, owned: ownedDomain },
  onHub: {
    keeps: ["HostedCluster"],
    remove: (client, cluster) => client.clusters.removeNamespace(ownerOf(cluster)),
  },
};
