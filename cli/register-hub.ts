import type { Clock } from "../core/clock.ts";
import { checkHub, type Findings } from "../core/ports/hub/check.ts";
import type { Fetch } from "../core/ports/kubernetes/connection.ts";
import { parseKubeconfig } from "../core/ports/kubernetes/kubeconfig.ts";
import type { Api } from "./private-api.ts";
import { type Registered, registerIn } from "./register.ts";

/** What an administrator says of a hub; what is left out stays as it was. */
export interface Registration {
  name: string;
  /** YAML or JSON. */
  kubeconfig: string;
  region: string;
  /** Hosted control planes that it can carry. */
  capacity?: number;
  base_domain?: string;
  /** By which its cluster is known. */
  cluster_uid?: string;
}

/**
 * Whether the hub behind a kubeconfig can be used. Throws Invalid for a kubeconfig that cannot, and
 * Unavailable for a hub that does not answer.
 */
export function check(kubeconfig: string, wall: Clock, fetch?: Fetch): Promise<Findings> {
  return checkHub({ connection: parseKubeconfig(kubeconfig), wall, ...(fetch && { fetch }) });
}

/** Makes the hub of that name be as said; again is harmless. Throws Rejected when Slipway refuses. */
export function register({ name, ...spec }: Registration, api: Api): Promise<Registered> {
  return registerIn("hubs", { name, spec }, api);
}
