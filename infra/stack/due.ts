import { sweepers } from "../reserves.ts";
import { type Deployed, deployFunction, keepFailures, type Shared } from "./functions.ts";
import { callWith, delayQueue } from "./queues.ts";
import type { Stage } from "./stage.ts";

/**
 * The longest run of the function, in seconds: a sweep of a shard takes up further operations for 40
 * seconds, and waits 15 for the last.
 */
const seconds = 90;

/**
 * The queue of rechecks, delayed to their times. A message is kept longer than the longest delay. There is no
 * dead-letter queue, since the sweep finds a step before its message could get there.
 */
export const recheckQueue = (stage: Stage): aws.sqs.Queue =>
  delayQueue(stage, "Rechecks", { kept: 1200, longestRun: seconds });

/**
 * The function for due operations. The queue calls it for each recheck, and a schedule for what queue, stream and
 * reports have missed. It calls itself for each shard of the due index.
 */
export function due(shared: Shared): Deployed {
  const deployed = deployFunction(shared, "due", {
    description: "handles due operations, rechecks steps at their times",
    seconds,
  });
  callWith(shared.recheckQueue, deployed, "RecheckQueue", { runs: sweepers.queue });
  // For calls by the schedule and by itself: the next minute's call does the same work.
  keepFailures(deployed, "Due", 0, 60);
  return deployed;
}
