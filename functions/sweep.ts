import * as z from "zod";
import { atOnce } from "../core/at-once.ts";
import type { OperatedDeps } from "../core/kernel/saga/operated.ts";
import { dueFor } from "../core/ports/sweep-times.ts";
import { noteCapacity } from "../core/reconcile/capacity.ts";
import { hubsDue } from "../core/reconcile/due-hubs.ts";
import { type Measured, measure } from "../core/reconcile/measure.ts";
import type { Sweep } from "./worker.ts";

/** The input from its schedules. */
const scheduled = z.object({ sweep: z.enum(["hubs", "parts", "orphans", "metrics"]) });

/** Has a zone's worker sweep a hub or a site; resolves when the call is certain to happen. */
export type AskZone = (zone: "hub" | "site", sweep: Sweep) => Promise<void>;

/** Turns measurements into metrics. */
export type Tell = (measured: Measured) => void;

/** How many workers are called in parallel, because after a long pause all hubs are due. */
const asksAtOnce = 16;

const orphansAt = {
  hub: (hub: string): Sweep => ({ hub, sweep: "orphans" }),
  site: (site: string): Sweep => ({ site, sweep: "orphans" }),
};

/**
 * Starts the sweep of each hub and site that is due, by a worker that reaches it, so that an unreachable one
 * delays no other; then measures. Due records have a function of their own, since they may take long.
 */
export function sweep(
  deps: Pick<OperatedDeps, "store" | "kinds" | "clock" | "operated" | "log">,
  ask: AskZone,
  tell: Tell,
): (event: unknown) => Promise<void> {
  return async (event) => {
    const { sweep: what } = scheduled.parse(event);
    if (what === "metrics") {
      tell(await measure(deps));
      await noteCapacity(deps);
    }
    if (what === "hubs")
      await atOnce(asksAtOnce, await hubsDue(deps), (hub) => ask("hub", { hub, sweep: true }));
    if (what === "parts")
      await atOnce(asksAtOnce, await dueFor(deps, what), ({ id }) =>
        ask("site", { hub: id, sweep: what }),
      );
    if (what === "orphans")
      await atOnce(asksAtOnce, await dueFor(deps, what), ({ kind, id }) =>
        ask(kind, orphansAt[kind](id)),
      );
  };
}
