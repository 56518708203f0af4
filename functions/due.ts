import type { Deps } from "../core/deps.ts";
import type { Shapes } from "../core/kernel/saga/settle.ts";
import { forAskedHubs } from "../core/ports/hub/asked.ts";
import { sweepDue } from "../core/reconcile/sweep.ts";

/**
 * What is due: operations whose time has come, and hubs that somebody wants looked at before their
 * turn, with which `ask` has the hub's worker called.
 */
export function due(
  deps: Deps,
  shapes: Shapes,
  ask: (hub: string) => Promise<void>,
): () => Promise<void> {
  return async () => {
    await sweepDue(deps, shapes);
    await forAskedHubs(deps.store, ask);
  };
}
