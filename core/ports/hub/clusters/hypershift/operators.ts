import { timestamp } from "../../../../clock.ts";
import { AppError, isKind } from "../../../../error.ts";
import { HubApi, type HubApiOptions } from "../../../kubernetes/api.ts";
import { clusterOperators, unavailable } from "../../../kubernetes/cluster-operators.ts";
import { hostedConnection } from "../../../kubernetes/kubeconfig.ts";
import type { ObservedOperators } from "../port.ts";

/** Reads the cluster operators from the hosted cluster itself. */
export async function operatorsIn(
  kubeconfig: string,
  // A hosted cluster that does not answer says nothing about its hub, so the hub's breaker is left out.
  { breaker: _, ...options }: HubApiOptions,
): Promise<ObservedOperators> {
  const api = new HubApi({ ...options, connection: hostedConnection(kubeconfig) });
  try {
    const { items } = await api.list(clusterOperators);
    return {
      at: timestamp(options.wall.now()),
      total: items.length,
      unavailable: unavailable(items),
    };
  } catch (error) {
    if (!isKind(error, "Unavailable")) throw error;
    const message = "the hosted cluster's API does not answer";
    throw new AppError("Unavailable", message, { detail: error.detail, cause: error });
  } finally {
    await api.close();
  }
}
