import { isDeepStrictEqual } from "node:util";
import { minutes } from "../../clock.ts";
import type { Cluster } from "../../resources/cluster/model.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Operation } from "../saga/operation.ts";

/**
 * Which changes are told at once. Each event costs a write of the log, a run of the relay and a
 * message, and an order that waits says every few seconds in other words what it waits for. So
 * progress goes with the next change that is told, or alone once the last event is a while ago.
 */

/** How old the last event is when progress is told alone. */
const progressEvery = minutes(2);

/** `changed`: the paths that differ, of what the tenant sees. */
export function isTold(
  before: ObjectOf[Kind],
  after: ObjectOf[Kind],
  changed: string[],
  now: number,
): boolean {
  if (now - Date.parse(before.event.time) >= progressEvery) return true;
  if (before.kind === "cluster" && after.kind === "cluster")
    return !isUnderWay(after) || isTurn(before, after) || !changed.every(isClusterProgress);
  if (before.kind === "operation" && after.kind === "operation")
    return isNextStep(before, after) || !changed.every((path) => operationProgress.has(path));
  return true;
}

/** What comes to a cluster, or goes, while an operation works on it. */
const clusterProgress =
  /^status\.(conditions|network|addresses|(api|ingress)_endpoint|dns_names|storage|node_sets|remaining)\b/;
const isClusterProgress = (path: string): boolean => clusterProgress.test(path);

const isUnderWay = ({ operation }: Cluster): boolean => operation !== undefined;

/** A condition has turned, or has another reason: not only other words. */
function isTurn(before: Cluster, after: Cluster): boolean {
  const turns = ({ status }: Cluster) =>
    status.conditions.map(({ type, status, reason }) => [type, status, reason]);
  return !isDeepStrictEqual(turns(before), turns(after));
}

/** A place that was found is told with the step that begins then; one in line is told at once. */
const operationProgress: ReadonlySet<string> = new Set([
  "status.placement",
  "status.steps",
  "status.waiting",
  "status.waiting_for",
  "status.percent",
  "status.estimate",
  "status.deadline",
]);

/** A step has begun, and with it those before it have ended; or one has failed. */
function isNextStep(before: Operation, after: Operation): boolean {
  const passed = ({ steps }: Operation) =>
    Object.values(steps).map(({ state }) => [state !== "PENDING", state === "FAILED"]);
  return !isDeepStrictEqual(passed(before), passed(after));
}
