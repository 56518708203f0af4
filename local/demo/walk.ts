import type { Dev } from "./world.ts";

/** What the demo shows, in a world of its own. */
export interface Walk {
  /** Whether the hosts of the world have been discovered, or are servers that are off. */
  servers: "on" | "off";
  /** Shows everything, and answers the last line: what is left. Throws when something is that should not be. */
  show(dev: Dev): Promise<string>;
}
