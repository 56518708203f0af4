import type { Metal3 } from "../bare-metal/metal3/service.ts";
import type { Networks } from "../network/network.ts";
import type { OwnershipTag } from "../owner.ts";
import type { Agents } from "./agents/port.ts";
import type { HostedClusters } from "./clusters/port.ts";
import type { ClusterCredentials } from "./credentials/port.ts";
import type { News } from "./news.ts";

/**
 * The hub port: Slipway's calls of a management cluster. Every call is idempotent: names derive from
 * the owner (docs/reference/hub.md §1), so a repeated call finds what the first one made. Throws
 * `Unavailable` when the hub does not answer and `Rejected` when it refuses. Every hub reports; each
 * further ability of a hub is a port of its own.
 */
export interface HubClient extends HubReports {
  readonly clusters: HostedClusters;
  readonly credentials: ClusterCredentials;
  readonly agents: Agents;
  /** Its BareMetalHosts. */
  readonly metal3: Metal3;
  /** Tenants' own networks on it. */
  readonly networks: Networks;
}

/** The abilities of every hub. */
export interface HubReports {
  /** Calls the API server with the hub's credentials; answers its version. */
  probe(): Promise<string>;
  /** Reads the objects of all owners and the agents of this hub: the backstop behind the watch. */
  readAll(): Promise<News[]>;
  /**
   * Lists everything on the hub that carries the label of an owner of these kinds, or is in the
   * namespace of one.
   */
  observeAll(ownerKinds: readonly string[]): Promise<OwnedObject[]>;
  /** Why it cannot carry tenants' networks, in words, with what to do; undefined where it can. */
  networksFault(): Promise<string | undefined>;
}

export interface OwnedObject {
  kind: string;
  name: string;
  namespace?: string;
  owner: OwnershipTag;
}

/** The source of clients of hubs: one for each hub and process, behind a breaker. */
export interface Hubs {
  /**
   * A client of the hub. Throws NotFound for a hub that is not registered. Throws Unavailable, without
   * a call, for a hub that is known not to answer, unless the caller has to find out whether it answers
   * again (`evenAway`).
   */
  client(hub: string, asker?: { evenAway: boolean }): Promise<HubClient>;
}

/** What the API asks a hub while its caller waits. */
export type HubQueries = Pick<HubClient, "credentials" | "networksFault">;

/** Hubs for the API, which may reach them through another function alone. */
export interface AskableHubs {
  client(hub: string): Promise<HubQueries>;
}

declare module "../../kernel/deps.ts" {
  interface Deps {
    hubs: Hubs;
    askableHubs: AskableHubs;
  }
}
