import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import type { Clock } from "../core/clock.ts";
import type { ApiServers } from "./api-servers.ts";
import type { Faults } from "./faults.ts";
import type { Resolves } from "./guest/way-in.ts";
import type { Host } from "./host.ts";
import type { KeyPair } from "./kubernetes/certificates.ts";
import type { metal3 } from "./metal3/operator.ts";
import type { Servers } from "./servers.ts";
import type { SiteEffects } from "./site-effects.ts";

/** The parts that a simulated hub consists of. */

export const newHubSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "must be an RFC 1123 label"),
  region: z.string().min(1).max(63),
});
export type NewHub = z.infer<typeof newHubSchema>;

/** A hub, as the world stores it. */
export interface HubRecord extends NewHub {
  /** The hub's number, from 1; its networks are 10.<number>.0.0/16. */
  number: number;
  authority: KeyPair;
  identity: KeyPair;
}

export interface HubOptions {
  database: DatabaseSync;
  clock: Clock;
  wall: Clock;
  random: () => number;
  servers: ApiServers;
  faults: Faults;
  site: SiteEffects;
  /** The servers with a controller. */
  hardware: Servers;
  /** Metal3's access to the servers' controllers. */
  metal: Omit<Parameters<typeof metal3>[0], "cluster">;
  /** A machine by its id. */
  host(id: string): Host | undefined;
  /** The DNS resolution of hosted clusters that were ordered without a name. */
  resolves: Resolves;
  /** How long an API server takes from opening its port until it serves everything. */
  startUp: number;
}
