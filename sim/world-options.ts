import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import type { Resolves } from "./guest/way-in.ts";
import type { SiteOptions } from "./site.ts";
import type { SiteEffects } from "./site-effects.ts";

export interface WorldOptions {
  /** From `openDatabase`; the caller closes it, after `stop`. */
  database: DatabaseSync;
  /** Simulated time. */
  clock: Clock;
  /** Real time: watches and connections. */
  wall?: Clock;
  /** Numbers in [0, 1), for uids, tokens, passwords, and the machine that goes when a pool shrinks. */
  random?: () => number;
  /** Whether API servers listen on loopback; otherwise they answer `fetch` only. */
  sockets?: boolean;
  /**
   * The first port of API servers: any by default where they listen. Worlds without sockets that are
   * reached by one client have ports of their own.
   */
  firstPort?: number;
  /** The resolution of names of hosted clusters that were ordered without a name; they resolve by default. */
  resolves?: Resolves;
  /** Milliseconds of simulated time that a hub's API server takes to start; none by default. */
  startUp?: number;
  /** Settings of the fabric, to make a small site. */
  site?: SiteOptions["settings"];
  /** The effects of other systems than the simulated ones on machines and clients. */
  effects?: SiteEffects;
}
