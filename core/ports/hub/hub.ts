import type { Metal3 } from "../bare-metal/metal3/service.ts";
import type { Networks } from "../network/network.ts";
import type { OwnershipTag } from "../owner.ts";
import type { Agents } from "./agents/port.ts";
import type { HostedClusters } from "./clusters/port.ts";
import type { ClusterCredentials } from "./credentials/port.ts";
import type { News } from "./news.ts";

/**
 * The hub port: Slipway's calls of a management cluster. Every call is idempotent: names derive from the
 * owner (docs/reference/hub.md §1), so a repeated call finds what the first one created. Throws `Unavailable`
 * when the hub does not answer and `Rejected` when it refuses. Every hub reports; each further ability of a
 * hub is a port of its own.
 */
export interface HubClient extends HubReports {
  readonly clusters: HostedClusters;
  readonly credentials: ClusterCredentials;
  readonly agents: Agents;
  /** The hub's BareMetalHosts. */
  readonly metal3: Metal3;
  /** Tenants' own networks on the hub. */
  readonly networks: Networks;
}

export interface HubReports {
  /** Calls the API server with the hub's credentials; answers its version. */
  probe(): Promise<string>;
  /** Reads all owners' objects and the agents of this hub, to find changes that the watch has missed. */
  readAll(): Promise<News[]>;
  /** Lists all objects on the hub with the label of an owner of these kinds, or in an owner's namespace. */
  observeAll(ownerKinds: readonly string[]): Promise<OwnedObject[]>;
  /** The reason why the hub cannot have tenants' networks, and the remedy; undefined if it can. */
  networksFault(): Promise<string | undefined>;
}

export interface OwnedObject {
  kind: string;
  name: string;
  namespace?: string;
  owner: OwnershipTag;
}

/** The source of hub clients: one for each hub and process, with a circuit breaker. */
export interface Hubs {
  /**
   * A client of the hub. Throws NotFound for a hub that is not registered. Throws Unavailable, without a
   * call, for a hub that is known to be unreachable, unless the caller checks whether it answers again
   * (`evenAway`).
   */
  client(hub: string, asker?: { evenAway: boolean }): Promise<HubClient>;
}

/** The calls of a hub that the API makes while its caller waits. */
export type HubQueries = Pick<HubClient, "credentials" | "networksFault">;

/** Hubs for the API, which may have to call them through another function. */
export interface AskableHubs {
  client(hub: string): Promise<HubQueries>;
}

declare module "../../kernel/saga/context.ts" {
  interface StepDeps {
    hubs: Hubs;
  }
}

declare module "../../kernel/request/request-deps.ts" {
  interface RequestDeps {
    askableHubs: AskableHubs;
  }
}
