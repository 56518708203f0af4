import type { Publishing } from "../core/kernel/events/publish.ts";
import type { Shapes } from "../core/kernel/saga/settle.ts";
import { sweepDue } from "../core/reconcile/sweep.ts";
import { forRequestedHubs } from "../core/resources/hub/sweep-requests.ts";

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
    await forRequestedHubs(deps.store, ask);
  };
}
