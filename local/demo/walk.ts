import type { WorldServers } from "../../sim/seed.ts";
import type { Dev } from "./world.ts";

/** A scenario of the demo, in a world of its own. */
export interface Walk {
  /** The state of the hosts in its world. */
  servers: WorldServers;
  /**
   * Shows the scenario, and returns the last line: what is left. Throws if something is left that should not
   * be.
   */
  show(dev: Dev): Promise<string>;
}
