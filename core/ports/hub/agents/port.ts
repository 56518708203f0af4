import type { Owner, OwnershipTag } from "../../owner.ts";
import type { News } from "../news.ts";

/** The namespace of agents on every hub. */
export const agentNamespace = "hardware-inventory";

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
}
