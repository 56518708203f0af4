import type { Cluster } from "../../../core/resources/cluster/model.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import type { World } from "../../../sim/world.ts";
import type { Books } from "./check.ts";

/** What the books of a whole site are closed on. */
export interface SiteBooks extends Books {
  clusters: Cluster[];
  hosts: Host[];
  /** Everything outside. */
  world: Pick<World, "ledger">;
  /** The references under which the secret store holds something. */
  secrets: ReadonlySet<string>;
}
