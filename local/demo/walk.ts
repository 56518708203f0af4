import type { WorldServers } from "../../sim/seed.ts";
import type { Dev } from "./world.ts";

/** What the demo shows, in a world of its own. */
export interface Walk {
  /** What the hosts of its world are. */
  servers: WorldServers;
  /** Shows everything, and answers the last line: what is left. Throws when something is that should not be. */
  show(dev: Dev): Promise<string>;
}
