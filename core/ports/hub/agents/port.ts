import type { Owner, OwnershipTag } from "../../owner.ts";
import type { News } from "../news.ts";
import type { ReportedHardware } from "./hardware.ts";

/** The port of agents: one runs on each host, both while the host is free and while an owner has it. */
export interface Agents {
  /** Reads all agents of this hub, of any owner or none. */
  readAll(): Promise<News[]>;
  /**
   * Adds an agent to one of the owner's node sets, and approves it. Throws Rejected if the agent does not
   * exist, or somebody else has it.
   */
  reserve(owner: Owner, agent: string, set: string): Promise<void>;
  /**
   * Removes this owner's labels from an unbound agent. Succeeds if the agent is gone or has another owner.
   */
  release(owner: OwnershipTag, agent: string): Promise<void>;
  /**
   * The URL of the discovery image that makes a server an agent of this hub. It contains a token and expires:
   * read it for each boot, and keep it secret. Throws Unavailable while the hub has none.
   */
  discoveryImage(): Promise<string>;
  /**
   * Deletes an unbound agent; its server becomes an agent again only by booting the discovery image. Succeeds
   * if the agent is gone. Throws Unavailable while it is bound.
   */
  forget(agent: string): Promise<void>;
  /** The hardware that an agent reports; undefined if there is no such agent. */
  hardware(agent: string): Promise<ReportedHardware | undefined>;
  /** Approves an agent, and sets its host type and host name. Throws Rejected if it does not exist. */
  admit(agent: string, host: { name: string; hostType: string }): Promise<void>;
}
