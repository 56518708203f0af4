import * as z from "zod";
import type { Deps } from "../core/deps.ts";
import { sweepDue } from "../core/feedback/sweep.ts";
import { forAskedHubs } from "../core/feedback/sweep-hub.ts";
import { hubsOf } from "../core/placement/hubs.ts";
import type { Sagas } from "../core/saga/settle.ts";

/** What its schedules say. */
const scheduled = z.object({ sweep: z.enum(["due", "hubs"]) });

/** Has the hub zone's worker sweep a hub; resolves when that is certain to be called. */
export type SweepHub = (hub: string) => Promise<void>;

/**
 * The sweeps' function: operations whose time has come here; hubs where they can be reached, so
 * that one that does not answer delays no other.
 */
export function sweep(
  deps: Deps,
  sagas: Sagas,
  sweepHub: SweepHub,
): (event: unknown) => Promise<void> {
  return async (event) => {
    if (scheduled.parse(event).sweep === "due") {
      await sweepDue(deps, sagas);
      return forAskedHubs(deps, sweepHub);
    }
    for (const hub of await hubsOf(deps.store)) await sweepHub(hub.id);
  };
}
