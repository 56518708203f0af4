import { hours, seconds } from "../../../core/clock.ts";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import type { Cluster, Regrouping } from "../../../core/resources/cluster/model.ts";
import { pause } from "../pace.ts";
import { systems } from "../systems.ts";
import { siteOf } from "./site.ts";

/** The security groups of a cluster's ports in a tenant's subnet. */

/** The groups that it is to have, or those that it had before. */
type Which = NonNullable<Regrouping["seen"]>;

const pace = { first: seconds(2), longest: seconds(60) };

/** Gives every port these groups, and notes when the fabric shows all of them so. */
const regroup =
  (which: Which) =>
  async (cluster: Cluster, context: StepContext<Cluster>): Promise<void> => {
    const { regrouping } = cluster;
    const here = await siteOf(cluster, context);
    const within = here?.networkOwner.within;
    if (!regrouping || !here?.fabric || !within) return noteSeen(which, context);
    const groups = which === "wanted" ? within.groups : regrouping.from.names;
    const network = { ...here.networkOwner, within: { ...within, groups } };
    const { state } = await here.fabric.ensureGroups(network);
    await noteSeen(state === "done" ? which : undefined, context);
  };

const noteSeen = async (
  seen: Which | undefined,
  { change }: StepContext<Cluster>,
): Promise<void> => {
  await change((cluster) => {
    const { regrouping } = cluster;
    if (!regrouping || regrouping.seen === seen) return undefined;
    return { ...cluster, regrouping: { from: regrouping.from, ...(seen && { seen }) } };
  });
};

const isSeen =
  (which: Which) =>
  ({ regrouping }: Cluster, context: Context): Outcome =>
    !regrouping || regrouping.seen === which
      ? done
      : pending("the fabric to show the security groups of every port", pause(context, pace));

/** Shared by both ways. */
export const regroupPorts = (which: Which, deadline = hours(24)): Action<Cluster> => ({
  system: systems.fabric,
  act: regroup(which),
  look: regroup(which),
  looksLater: true,
  until: isSeen(which),
  deadline,
  usually: seconds(10),
});
