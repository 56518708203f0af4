import { minutes, timestamp } from "../clock.ts";
import type { Deps } from "../deps.ts";
import type { AppError } from "../error.ts";
import { heartbeatKey, reachKey } from "../kernel/object/keys.ts";
import { changeObject } from "../kernel/object/rewrite.ts";
import { askForLook } from "../ports/hub/asked.ts";
import { NotNow } from "../ports/kubernetes/not-now.ts";
import { heartbeatTimeout, type UnreachedReason } from "../resources/hub/model.ts";
import { type HubFindings, hubStatus } from "../resources/hub/status.ts";

/**
 * What is known of the way to a hub and of the way back. The hub's record changes when one of them
 * goes or comes back; the times between are kept apart from it, and written seldom.
 */

/** How old the time may be that says when a hub was last reached. */
const reachNoted = minutes(15);

/** A look at the hub went well. */
export async function noteReached(deps: Deps, hub: string): Promise<void> {
  const now = deps.clock.now();
  const known = await deps.store.get(reachKey(hub));
  const isNoted = typeof known?.at === "string" && now - Date.parse(known.at) < reachNoted;
  if (isNoted && known?.since === undefined) return;
  // First the record: after a crash in between, the next look does both.
  await found(deps, hub, { HUB_CONDITION_TYPE_REACHED: { status: true, reason: "Reached" } });
  await deps.store.transact([{ put: { ...reachKey(hub), at: timestamp(now) } }]);
}

/**
 * A look at the hub was in vain. It is told after the second one in a row, so that a single lost call
 * moves no orders elsewhere; until it answers, it is looked at again before its turn.
 */
export async function noteUnreached(deps: Deps, hub: string, error: AppError): Promise<void> {
  const since = (await deps.store.get(reachKey(hub)))?.since;
  await askForLook(deps.store, hub);
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

/** What refuses us is there, and may still do what orders ask of it. */
const unreachedReason = (error: AppError): UnreachedReason =>
  error.kind === "Unavailable" && !(error instanceof NotNow) ? "NotReached" : "Refused";

/** Its agent has reported. */
export const noteHeard = (deps: Deps, hub: string): Promise<void> =>
  found(deps, hub, { HUB_CONDITION_TYPE_HEARD: { status: true, reason: "Reports" } });

/** Tells that a hub's agent is silent, if it is; one that never reported is only awaited. */
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
