import type { BareMetalServer } from "./server.ts";

/** A bare metal service of a site, which has its own name for each server. */
export interface BareMetalService {
  /** The server of this name; sends no request yet. */
  server(name: string): BareMetalServer;
  /**
   * The requirements that the service does not meet, for people to read. Throws when the service
   * does not answer.
   */
  lacks(): Promise<string[] | undefined>;
}
