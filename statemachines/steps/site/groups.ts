import type { AtSite, Regrouped } from "../../../core/at-site/at-site.ts";
import { segmentsOf } from "../../../core/at-site/owner.ts";
import { hours, seconds } from "../../../core/clock.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { pause } from "../pace.ts";
import { systems } from "../systems.ts";
import { siteOf } from "./site.ts";

/** The security groups of an object's ports in tenants' subnets. */

/** A target whose groups change. It keeps the former groups of each segment until the change has ended. */
type Target = AtSite & { regrouping?: Regrouped };

/** The desired groups, or the previous ones. */
type Which = NonNullable<Regrouped["seen"]>;

const pace = { first: seconds(2), longest: seconds(60) };

/** Sets these groups on every port, and records when the fabric shows them on all. */
const regroup =
  (which: Which) =>
  async (target: Target, context: StepContext<Target>): Promise<void> => {
    const { regrouping } = target;
    const here = await siteOf(target, context);
    const segments = segmentsOf(target);
    if (!regrouping || !here?.fabric || segments.length === 0) return noteSeen(which, context);
    const shown: boolean[] = [];
    for (const [n, within] of segments.entries()) {
      const groups = which === "wanted" ? within.groups : (regrouping.from[n]?.names ?? []);
      const network = { ...here.networkOwner, within: { ...within, groups } };
      shown.push((await here.fabric.ensureGroups(network)).state === "done");
    }
    await noteSeen(shown.every(Boolean) ? which : undefined, context);
  };

const noteSeen = async (
  seen: Which | undefined,
  { change }: StepContext<Target>,
): Promise<void> => {
  await change((target) => {
    const { regrouping } = target;
    if (!regrouping || regrouping.seen === seen) return undefined;
    return { ...target, regrouping: { from: regrouping.from, ...(seen && { seen }) } };
  });
};

const isSeen =
  (which: Which) =>
  ({ regrouping }: Target, context: Context): Outcome =>
    !regrouping || regrouping.seen === which
      ? done
      : pending("the fabric to show the security groups of every port", pause(context, pace));

/** Used in both directions, and by all kinds with ports in tenants' subnets. */
export const regroupPorts = (which: Which, deadline = hours(24)): StepAction<Target> => ({
  system: systems.fabric,
  act: regroup(which),
  look: regroup(which),
  looksLater: true,
  until: isSeen(which),
  deadline,
  usually: seconds(10),
});
