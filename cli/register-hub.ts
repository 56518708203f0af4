import type { Clock } from "../core/clock.ts";
import { checkHub, type Findings } from "../core/ports/hub/check.ts";
import type { Fetch } from "../core/ports/kubernetes/connection.ts";
import { parseKubeconfig } from "../core/ports/kubernetes/kubeconfig.ts";
import type { Api } from "./private-api.ts";
import { type Registered, registerIn } from "./register.ts";

/** A hub as an administrator registers it; an omitted member keeps its value. */
export interface Registration {
  name: string;
  /** YAML or JSON. */
  kubeconfig: string;
  region: string;
  /** How many hosted control planes the hub can carry. */
  capacity?: number;
  base_domain?: string;
  /** Identifies the hub's cluster. */
  cluster_uid?: string;
}

/**
 * Checks whether Slipway can use the hub of a kubeconfig. Throws Invalid for an unusable kubeconfig, and
 * Unavailable for a hub that does not answer.
 */
export function checkKubeconfig(kubeconfig: string, wall: Clock, fetch?: Fetch): Promise<Findings> {
  return checkHub({ connection: parseKubeconfig(kubeconfig), wall, ...(fetch && { fetch }) });
}

/** Creates or changes the hub of that name. Idempotent. Throws Rejected when Slipway refuses. */
export function register({ name, ...spec }: Registration, api: Api): Promise<Registered> {
  return registerIn("hubs", { name, spec }, api);
}
