import type { Publishing } from "../core/kernel/events/publish.ts";
import type { Shapes } from "../core/kernel/saga/settle.ts";
import { forAskedHubs } from "../core/reconcile/asked.ts";
import { sweepDue } from "../core/reconcile/sweep.ts";

/**
 * Handles due operations and the hubs that somebody asked to have swept early; `ask` calls the
 * worker of the hub zone for those.
 */
export function due(
  deps: Publishing,
  shapes: Shapes,
  ask: (hub: string) => Promise<void>,
): () => Promise<void> {
  return async () => {
    await sweepDue(deps, shapes);
    await forAskedHubs(deps.store, ask);
  };
}
