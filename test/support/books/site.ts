import type { AtSite } from "../../../core/at-site/at-site.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import type { World } from "../../../sim/world.ts";
import type { Books } from "./check.ts";

/** An object of a kind whose objects are at sites. */
export type Sited = Pick<AtSite, "kind" | "id" | "site" | "hub" | "stands_in" | "addresses">;

/** What the books of a whole site are closed on. */
export interface SiteBooks extends Books {
  /** Everything that has something at a site. */
  sited: Sited[];
  clusters: Cluster[];
  /** Everything that can hold hosts. */
  placed: (Cluster | BaremetalInstance)[];
  hosts: Host[];
  /** Everything outside. */
  world: Pick<World, "ledger">;
  /** The references under which the secret store holds something. */
  secrets: ReadonlySet<string>;
}
