import type { BareMetalServer } from "./server.ts";

/** A service that manages the servers of a site, and knows each by a name of its own. */
export interface BareMetalService {
  /** The server of this name; nothing is asked yet. */
  server(name: string): BareMetalServer;
  /** What the service lacks that Slipway needs; for people. Throws where it does not answer. */
  lacks(): Promise<string[] | undefined>;
}
