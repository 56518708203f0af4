import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import type { Resolves } from "./guest/way-in.ts";
import type { SiteOptions } from "./site.ts";
import type { SiteEffects } from "./site-effects.ts";

export interface WorldOptions {
  /** From `openDatabase`; the caller closes it, after `stop`. */
  database: DatabaseSync;
  /** The simulated clock. */
  clock: Clock;
  /** The real clock, for watches and connections. */
  wall?: Clock;
  /** Random numbers in [0, 1), for uids, tokens, passwords, and the choice of a machine when a pool is scaled down. */
  random?: () => number;
  /** Whether API servers listen on loopback; otherwise they are reachable by `fetch` only. */
  sockets?: boolean;
  /**
   * The first port of API servers; any by default where they listen. Worlds without sockets need ports of their own
   * where one client uses several.
   */
  firstPort?: number;
  /** The DNS resolution of hosted clusters that were ordered without a name; they resolve by default. */
  resolves?: Resolves;
  /** The start-up time of a hub's API server, in simulated milliseconds; none by default. */
  startUp?: number;
  /** Overrides of the fabric's settings, for a small site. */
  site?: SiteOptions["settings"];
  /** Actions of systems outside of the simulation on machines and clients. */
  effects?: SiteEffects;
}
