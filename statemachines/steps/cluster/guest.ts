import { isDeepStrictEqual } from "node:util";
import { ownerOf } from "../../../core/at-site/owner.ts";
import { bounds, cut } from "../../../core/bounds.ts";
import { minutes, seconds, timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Context, StepContext, StepDeps } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import {
  type GuestClient,
  type GuestObservation,
  guestPending as notYet,
} from "../../../core/ports/guest/guest.ts";
import { withCertificate } from "../../../core/resources/cluster/ingress-certificate.ts";
import type { Cluster, Looked, Observed } from "../../../core/resources/cluster/model.ts";
import { pause } from "../pace.ts";

/** Shared by the steps that check the guest. Each records what it observed in a part of the record. */

type Part = "configuration" | "validation" | "certificate";

/**
 * Pauses between checks during the rollout of the release. The hub reports its end, before which no create can
 * end; so these checks only keep the status current and cover a lost report.
 */
const untilRolledOut = minutes(2);
/** Pauses between checks after the rollout, because guests send no reports. */
const rolledOut = { first: seconds(10), longest: seconds(60) };

const isRolledOut = ({ observed }: Cluster): boolean =>
  observed.control_plane?.version_completed === true;

/** Runs `work` in the guest. Throws Unavailable if the guest's API does not answer. */
export async function inGuest(
  cluster: Cluster,
  { deps }: Context<StepDeps>,
  work: (guest: GuestClient) => Promise<GuestObservation>,
): Promise<GuestObservation> {
  if (!cluster.placement) throw new AppError("Internal", "the cluster is not placed");
  const seen = await deps.guests.reach(cluster.placement.hub, ownerOf(cluster), work);
  return seen ?? notYet("the hosted cluster's kubeconfig");
}

interface Look {
  seen: GuestObservation;
  /** The cluster before the check. */
  before: Cluster;
  /** Parts of the configuration that are done. */
  parts?: string[];
  /** When the ingress's present certificate expires. */
  ends?: string;
}

/** Records what a check observed. */
export async function noteGuestObserved(
  part: Part,
  { seen, before, parts, ends }: Look,
  { deps, change }: StepContext<Cluster>,
): Promise<void> {
  const said =
    seen.state === "done" ? "" : seen.state === "failed" ? seen.message : seen.waitingFor;
  const message = cut(said, bounds.reason);
  await change((cluster) => {
    const known = cluster.observed[part];
    const looked: Looked = {
      ...{ state: seen.state, message, at: timestamp(deps.clock.now()) },
      ...(parts && { parts }),
      ...(seen.state === "pending" && isRolledOut(before) && { rolled_out: true }),
    };
    const certified = ends === undefined ? cluster : withCertificate(cluster, ends);
    const isKnown = known && isDeepStrictEqual({ ...looked, at: known.at }, known);
    if (isKnown && certified === cluster) return undefined;
    const observed: Observed = { ...cluster.observed, [part]: looked };
    return { ...certified, observed };
  });
}

/**
 * An `until` that decides by the last observation; a failure fails the step. Once the hub reports the rollout
 * as complete, the step checks at once.
 */
export const isObserved =
  (part: Part) =>
  (cluster: Cluster, context: Context): Outcome => {
    const seen = cluster.observed[part];
    const { state = "pending", message = "the hosted cluster's API" } = seen ?? {};
    if (state === "failed") throw new AppError("Rejected", message);
    if (state === "done") return done;
    if (!isRolledOut(cluster)) return pending(message, untilRolledOut);
    return pending(message, seen?.rolled_out ? pause(context, rolledOut) : 0);
  };

/** Removes the last observation, so that a retry does not decide by an old failure. */
export const forget =
  (part: Part) =>
  async (_: Cluster, context: StepContext<Cluster>): Promise<void> => {
    await context.change((cluster) => {
      const { [part]: before, ...observed } = cluster.observed;
      return before ? { ...cluster, observed } : undefined;
    });
  };
