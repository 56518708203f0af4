import { ownerOf } from "../../at-site/owner.ts";
import { timestamp } from "../../clock.ts";
import { changeObject } from "../../kernel/events/rewrite.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import type { StepDeps } from "../../kernel/saga/context.ts";
import type { Cluster } from "./model.ts";

/**
 * Reads the operators of the hosted cluster and records them; returns the changed cluster. Throws Unavailable.
 */
export async function refreshOperators(deps: StepDeps, id: string): Promise<Cluster> {
  const cluster = await mustLoad(deps, "cluster", id);
  if (!cluster.placement) return cluster;
  const at = timestamp(deps.clock.now());
  const client = await deps.hubs.client(cluster.placement.hub);
  const operators = await client.clusters.readOperators(ownerOf(cluster));
  if (!operators) return cluster;
  return changeObject(deps, "cluster", id, (current) => {
    const known = current.observed.operators;
    // Dropped, because a later read has the newer state.
    if (known && known.at > at) return undefined;
    return { ...current, observed: { ...current.observed, operators: { ...operators, at } } };
  });
}
