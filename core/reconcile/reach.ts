import { isDeepStrictEqual } from "node:util";
import { bounds, cut } from "../bounds.ts";
import { minutes, timestamp, timeText } from "../clock.ts";
import type { AppError } from "../error.ts";
import type { Deps } from "../kernel/deps.ts";
import { written } from "../kernel/events/rewrite.ts";
import { heartbeatKey, reachKey } from "../kernel/object/hub-keys.ts";
import { objectKey } from "../kernel/object/keys.ts";
import { load } from "../kernel/object/records.ts";
import { optimistically } from "../kernel/store/optimistically.ts";
import {
  all,
  eq,
  exists,
  type Item,
  type Key,
  lacks,
  type Write,
  type WriteCondition,
} from "../kernel/store/store.ts";
import { heartbeatTimeout } from "../placement/hubs/hub.ts";
import type { Message } from "../ports/hub/news.ts";
import { NotNow } from "../ports/kubernetes/not-now.ts";
import type { Hub, UnreachedReason } from "../resources/hub/model.ts";
import { type HubFindings, hubStatus } from "../resources/hub/status.ts";
import { requestSweep } from "../resources/hub/sweep-requests.ts";
import { unansweredFrom } from "../resources/hub/unanswered.ts";

/**
 * The state of the connection to a hub in both directions: Slipway reaches the hub, and the hub's agent reports. The
 * hub's record changes only when one of them breaks or recovers; the times of contacts are in items of their own, which
 * are written rarely.
 */

/** How old the recorded time of the last contact may become. */
const reachNoted = minutes(15);

/** Records that the hub answered. */
export function noteReached(deps: Deps, hub: string): Promise<void> {
  const now = deps.clock.now();
  return judge(deps, hub, reachKey(hub), ({ at, since, ...failed }) => {
    const isNoted = at !== undefined && now - Date.parse(at) < reachNoted;
    if (isNoted && since === undefined) return {};
    return {
      findings: { HUB_CONDITION_TYPE_REACHED: { status: true, reason: "Reached" } },
      times: { ...failed, at: timestamp(now) },
    };
  });
}

/**
 * Records that the hub did not answer. After the second failure in a row the hub counts as unreachable, so that a
 * single lost call moves no orders elsewhere. Until it answers, it is swept early. Answers the start of the outage, if
 * there is one.
 */
export async function noteUnreached(
  deps: Deps,
  hub: string,
  error: AppError,
): Promise<string | undefined> {
  let away: string | undefined;
  await requestSweep(deps.store, hub);
  const first = unansweredFrom(deps.clock.now(), hub, error);
  await judge(deps, hub, reachKey(hub), ({ at, since }) => {
    away = unreachedReason(error) === "NotReached" ? since : undefined;
    if (since === undefined)
      return {
        times: { ...(at && { at }), ...first.times },
        listed: first.listed,
      };
    const message = `Slipway has not reached it since ${timeText(since)}: ${error.message}`;
    const reason = unreachedReason(error);
    return { findings: { HUB_CONDITION_TYPE_REACHED: { status: false, reason, message } } };
  });
  return away;
}

/**
 * The reason why a hub counts as unreachable. A hub that refuses our requests is running, and may still carry out
 * orders.
 */
const unreachedReason = (error: AppError): UnreachedReason =>
  error.kind === "Unavailable" && !(error instanceof NotNow) ? "NotReached" : "Refused";

/** Records a report of the hub's agent. */
export const noteHeard = (deps: Deps, hub: string): Promise<void> =>
  judge(deps, hub, heartbeatKey(hub), () => ({
    findings: { HUB_CONDITION_TYPE_HEARD: { status: true, reason: "Reports" } },
  }));

/** Records that a hub's agent is silent, if it is; an agent that has never reported is not silent but awaited. */
export const noteSilence = (deps: Deps, hub: string): Promise<void> =>
  judge(deps, hub, heartbeatKey(hub), ({ at }) => {
    if (at === undefined || deps.clock.now() - Date.parse(at) <= heartbeatTimeout) return {};
    const message = `its agent has not reported since ${timeText(at)}`;
    return { findings: { HUB_CONDITION_TYPE_HEARD: { status: false, reason: "Silent", message } } };
  });

/** Records which kinds the hub's agent cannot watch, and since when; or that it watches all kinds again. */
export const noteObserved = (
  deps: Deps,
  hub: string,
  unwatched: Unwatched,
  since: string,
): Promise<void> =>
  judge(deps, hub, heartbeatKey(hub), () => ({
    findings: {
      HUB_CONDITION_TYPE_OBSERVED:
        unwatched.length === 0
          ? { status: true, reason: "Watches" }
          : { status: false, reason: "Unwatched", message: unobserved(unwatched, since) },
    },
  }));

type Unwatched = NonNullable<Message["unwatched"]>;

function unobserved(unwatched: Unwatched, since: string): string {
  const why = [...Map.groupBy(unwatched, ({ error }) => error)].map(
    ([error, kinds]) => `${kinds.map(({ kind }) => kind).join(", ")} (${cut(error, bounds.line)})`,
  );
  return `its agent has not been able to watch these kinds since ${timeText(since)}: ${why.join("; ")}. Check the agent's role and log, and the hub's API server; until then Slipway reads the hub every five minutes`;
}

/**
 * The item of a direction: the time of the last contact, and since when there is none; the time of the last failure,
 * and the error of the first.
 */
interface Times {
  at?: string;
  since?: string;
  failed_at?: string;
  error?: string;
}

/** The consequences of a direction's item: findings about the hub, and new times. */
interface Judgement {
  findings?: HubFindings;
  times?: Times;
  /** The item's entry in an index. */
  listed?: { g2pk: string; g2sk: string };
}

/**
 * Judges a direction of a hub by its item. The hub's record and the item are written together, on condition that both
 * are unchanged since the read: another sweep or a report may have come meanwhile. Nothing is written for a deleted
 * hub.
 */
function judge(deps: Deps, hub: string, key: Key, by: (known: Times) => Judgement): Promise<void> {
  return optimistically(deps.store, async () => {
    const item = await deps.store.get(key);
    const { findings, times, listed } = by(timesIn(item));
    const before = findings || times ? await load(deps, "hub", hub) : undefined;
    if (!before) return { writes: [], result: undefined };
    const record = findings ? statusWrites(deps, before, findings) : [];
    if (record.length === 0 && !times) return { writes: [], result: undefined };
    const same = all(asIn(item, "at"), asIn(item, "since"));
    const time: Write = times
      ? { put: { ...key, ...times, ...listed }, if: same }
      : { check: key, if: same };
    const there = record.length > 0 ? record : [{ check: objectKey("hub", hub), if: exists }];
    return { writes: [...there, time], result: undefined };
  });
}

const timesIn = (item: Item | undefined): Times => ({
  ...timeIn(item, "at"),
  ...timeIn(item, "since"),
  ...timeIn(item, "failed_at"),
  ...timeIn(item, "error"),
});

const timeIn = (item: Item | undefined, name: keyof Times): Times =>
  typeof item?.[name] === "string" ? { [name]: item[name] } : {};

const asIn = (item: Item | undefined, name: keyof Times): WriteCondition =>
  typeof item?.[name] === "string" ? eq(name, item[name]) : lacks(name);

/** The writes of findings to the hub's record; none if the record has them already. */
function statusWrites(deps: Deps, before: Hub, findings: HubFindings): Write[] {
  const status = hubStatus(before.status, findings, deps.clock.now());
  if (isDeepStrictEqual(status, before.status)) return [];
  return written(deps, before, { ...before, status }).writes;
}
