import * as z from "zod";
import type { Deps } from "../core/kernel/deps.ts";
import { hubsOf } from "../core/placement/hubs.ts";
import { type Measured, measure } from "../core/reconcile/measure.ts";
import { sitesOf } from "../core/resources/site/registered.ts";
import type { Sweep } from "./worker.ts";

/** The input from its schedules. */
const scheduled = z.object({ sweep: z.enum(["hubs", "parts", "orphans", "metrics"]) });

/** Has a zone's worker sweep a hub or a site; resolves when the call is certain to happen. */
export type Ask = (zone: "hub" | "site", sweep: Sweep) => Promise<void>;

/** Turns measurements into metrics. */
export type Tell = (measured: Measured) => void;

/**
 * Has each hub and site swept by a worker that reaches it, so that one that does not answer delays
 * no other, and measures all of it. Due records have a function of their own, which may take long.
 */
export function sweep(
  deps: Pick<Deps, "store" | "kinds" | "clock" | "log">,
  ask: Ask,
  tell: Tell,
): (event: unknown) => Promise<void> {
  return async (event) => {
    const { sweep: what } = scheduled.parse(event);
    if (what === "metrics") return tell(await measure(deps));
    const hubs = await hubsOf(deps);
    if (what === "hubs") for (const { id } of hubs) await ask("hub", { hub: id, sweep: true });
    if (what === "parts")
      for (const { id } of hubs.filter(({ spec }) => spec.site !== undefined))
        await ask("site", { hub: id, sweep: "parts" });
    if (what === "orphans") {
      for (const { id } of hubs) await ask("hub", { hub: id, sweep: "orphans" });
      for (const { id } of await sitesOf(deps)) await ask("site", { site: id, sweep: "orphans" });
    }
  };
}
