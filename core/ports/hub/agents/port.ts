import type { Owner, OwnershipTag } from "../../owner.ts";
import type { News } from "../news.ts";
import type { ReportedHardware } from "./hardware.ts";

/** The port of agents: one runs on each host, before and after the host belongs to somebody. */
export interface Agents {
  /** Reads all agents of this hub, whichever owner has them. */
  readAll(): Promise<News[]>;
  /**
   * Puts an agent into one of the owner's sets of hosts, and approves it. Throws Rejected for an agent
   * that does not exist, or that somebody else has.
   */
  reserve(owner: Owner, agent: string, set: string): Promise<void>;
  /**
   * Takes this owner's labels off an agent that is no longer bound. Succeeds if the agent is gone,
   * or belongs to another owner by now.
   */
  release(owner: OwnershipTag, agent: string): Promise<void>;
  /**
   * The URL of the image that a server boots to become an agent of this hub. It carries a token and
   * expires: read it for each boot, and keep it secret. Throws Unavailable while the hub has none.
   */
  discoveryImage(): Promise<string>;
  /**
   * Removes an agent that is bound to nothing, so that only a server that boots the image again is an
   * agent. Succeeds if the agent is gone. Throws Unavailable while it is bound.
   */
  forget(agent: string): Promise<void>;
  /** What an agent has found in its server; undefined if there is no such agent. */
  hardware(agent: string): Promise<ReportedHardware | undefined>;
  /** Approves an agent, and names its type and its host. Throws Rejected for one that does not exist. */
  admit(agent: string, host: { name: string; hostType: string }): Promise<void>;
}
