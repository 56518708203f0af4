import type { Operation, StepEntry } from "../core/kernel/saga/operation.ts";
import { isOpen } from "../core/kernel/saga/operation.ts";
import { type ActionShape, actionsOf, outageLimit } from "../core/kernel/saga/saga.ts";
import { sagas } from "../statemachines/index.ts";
import { systems } from "../statemachines/steps/systems.ts";
import type { DeadHosts } from "./dead-hosts.ts";

/**
 * Checks that operations keep the deadlines of their saga's table. A step may be open until its
 * deadline. While its system is unreachable the deadline is extended, at most until a day after the
 * step began. Only these steps may reach it: steps that wait for hosts, or for nodes of a cluster
 * with a dead host, and steps on a defective server.
 */

/** How late a step may end: the sweep runs every half minute, and a worker may still run. */
const grace = 120_000;

/** Facts about an operation from outside its record. */
interface Known {
  /** The previous record, because an ended step no longer has its deadline. */
  before?: Operation | undefined;
  /** Whether a newer record is written, so that open steps may have ended since. */
  isOld?: boolean;
  /** Whether a person resumed it, so that its steps got their full time again. */
  resumed?: boolean;
  deadHosts?: DeadHosts;
  /** Whether the server of a host had a defect. */
  isFailing?: (host: string) => boolean;
}

/** The steps that are open past their deadline, or were when they ended. */
export function late(
  operation: Operation,
  now: number,
  { before, resumed = false, isOld = false, deadHosts, isFailing = () => false }: Known = {},
): string[] {
  const saga = sagas[operation.spec.saga];
  if (!saga) return [`there is no saga ${operation.spec.saga}`];
  const rows = actionsOf(saga);
  const hadDeadHost = (from: number, to: number) =>
    deadHosts?.met(operation.spec.target.id, from, to) === true;
  return Object.entries(operation.steps).flatMap(([name, entry]) => {
    const row = rows.get(name);
    const why =
      row &&
      lateStep(row.action, entry, now, {
        ...{ before: before?.steps[name], resumed, isOld, hadDeadHost },
        isFailing: isFailing(operation.spec.target.id),
      });
    return why ? [`${operation.id}, ${saga.name}, ${name}: ${why}`] : [];
  });
}

interface KnownOfStep {
  before: StepEntry | undefined;
  resumed: boolean;
  isOld: boolean;
  hadDeadHost: (from: number, to: number) => boolean;
  isFailing: boolean;
}

function lateStep(
  { deadline, system }: ActionShape,
  entry: StepEntry,
  now: number,
  { before, resumed, isOld, hadDeadHost, isFailing }: KnownOfStep,
): string | undefined {
  const began = Date.parse(entry.start_time ?? "");
  const end = Date.parse(entry.end_time ?? entry.start_time ?? "");
  if (entry.error === "DeadlineExceeded" && system !== systems.placement) {
    const waitsForNodes = system?.zone === "hub" && hadDeadHost(began, end);
    return waitsForNodes || isFailing ? undefined : `ran out of its time: ${entry.message}`;
  }
  if (entry.start_time === undefined || resumed) return undefined;
  const latest = began + Math.max(deadline, outageLimit) + grace;
  const lastOf = (open: StepEntry): number => {
    const isAway = open.away_at !== undefined || open.retry_at !== undefined;
    const own = open.deadline === undefined || isAway ? latest : Date.parse(open.deadline) + grace;
    return Math.min(latest, own);
  };
  if (isOpen(entry)) return !isOld && now > lastOf(entry) ? "is open past its deadline" : undefined;
  const last = before && isOpen(before) ? lastOf(before) : latest;
  return end > last ? `was open for ${(end - began) / 60_000} minutes` : undefined;
}
