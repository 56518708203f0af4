import { minutes, timestamp } from "../clock.ts";
import type { AppError } from "../error.ts";
import type { Deps } from "../kernel/deps.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import { heartbeatKey, reachKey } from "../kernel/object/keys.ts";
import { heartbeatTimeout } from "../placement/hub.ts";
import { NotNow } from "../ports/kubernetes/not-now.ts";
import type { UnreachedReason } from "../resources/hub/model.ts";
import { type HubFindings, hubStatus } from "../resources/hub/status.ts";
import { requestSweep } from "../resources/hub/sweep-requests.ts";

/**
 * The known state of both directions of a hub. The hub's record changes only when one of them breaks or
 * recovers; the times in between are in items of their own, which are written rarely.
 */

/** How old the recorded time of the last contact may become. */
const reachNoted = minutes(15);

/** Records that the hub answered. */
export async function noteReached(deps: Deps, hub: string): Promise<void> {
  const now = deps.clock.now();
  const known = await deps.store.get(reachKey(hub));
  const isNoted = typeof known?.at === "string" && now - Date.parse(known.at) < reachNoted;
  if (isNoted && known?.since === undefined) return;
  // The record first: after a crash in between, the next contact does both.
  await found(deps, hub, { HUB_CONDITION_TYPE_REACHED: { status: true, reason: "Reached" } });
  await deps.store.transact([{ put: { ...reachKey(hub), at: timestamp(now) } }]);
}

/**
 * Records that the hub did not answer. The hub counts as away after the second time in a row, so
 * that a single lost call moves no orders elsewhere; until it answers, it is swept before its turn.
 */
export async function noteUnreached(deps: Deps, hub: string, error: AppError): Promise<void> {
  const since = (await deps.store.get(reachKey(hub)))?.since;
  await requestSweep(deps.store, hub);
  if (typeof since !== "string") {
    const set = { since: timestamp(deps.clock.now()) };
    await deps.store.transact([{ update: reachKey(hub), set }]);
    return;
  }
  await found(deps, hub, {
    HUB_CONDITION_TYPE_REACHED: {
      status: false,
      reason: unreachedReason(error),
      message: `Slipway has not reached it since ${since}: ${error.message}`,
    },
  });
}

/** Why a hub is not reached: a hub that refuses us is there, and may still carry out orders. */
const unreachedReason = (error: AppError): UnreachedReason =>
  error.kind === "Unavailable" && !(error instanceof NotNow) ? "NotReached" : "Refused";

/** Records a report of the hub's agent. */
export const noteHeard = (deps: Deps, hub: string): Promise<void> =>
  found(deps, hub, { HUB_CONDITION_TYPE_HEARD: { status: true, reason: "Reports" } });

/** Records that a hub's agent is silent, if it is; an agent that has never reported is only awaited. */
export async function noteSilence(deps: Deps, hub: string): Promise<void> {
  const item = await deps.store.get(heartbeatKey(hub));
  if (typeof item?.at !== "string") return;
  if (deps.clock.now() - Date.parse(item.at) <= heartbeatTimeout) return;
  const message = `its agent has not reported since ${item.at}`;
  await found(deps, hub, {
    HUB_CONDITION_TYPE_HEARD: { status: false, reason: "Silent", message },
  });
}

async function found(deps: Deps, hub: string, findings: HubFindings): Promise<void> {
  await changeObject(deps, "hub", hub, (current) => ({
    ...current,
    status: hubStatus(current.status, findings, deps.clock.now()),
  }));
}
