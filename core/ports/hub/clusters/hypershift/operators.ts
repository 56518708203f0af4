import * as z from "zod";
import { timestamp } from "../../../../clock.ts";
import { AppError, isKind } from "../../../../error.ts";
import { HubApi, type HubApiOptions } from "../../../kubernetes/api.ts";
import { clusterOperators, type KubeObject } from "../../../kubernetes/kube-object.ts";
import { hostedConnection } from "../../../kubernetes/kubeconfig.ts";
import type { ObservedOperators } from "../port.ts";

/** Cluster operators, asked of the hosted cluster itself. */
export async function operatorsIn(
  kubeconfig: string,
  // A silent hosted cluster does not mean a silent hub, so the breaker is not involved.
  { breaker: _, ...options }: HubApiOptions,
): Promise<ObservedOperators> {
  const api = new HubApi({ ...options, connection: hostedConnection(kubeconfig) });
  try {
    const { items } = await api.list(clusterOperators);
    return {
      at: timestamp(options.wall.now()),
      total: items.length,
      unavailable: items.flatMap(complaint),
    };
  } catch (error) {
    if (!isKind(error, "Unavailable")) throw error;
    const message = "the hosted cluster's API does not answer";
    throw new AppError("Unavailable", message, { detail: error.detail, cause: error });
  } finally {
    await api.close();
  }
}

const conditionsSchema = z.array(
  z.object({ type: z.string(), status: z.string(), message: z.string().optional() }),
);

/** `name: message` of a cluster operator that is not available. */
function complaint({ metadata, status }: KubeObject): string[] {
  const conditions = conditionsSchema.safeParse(status?.conditions).data ?? [];
  const available = conditions.find(({ type }) => type === "Available");
  if (available?.status === "True") return [];
  return [`${metadata.name}: ${available?.message || "has not reported"}`];
}
