import type { Reaction } from "../../kernel/relay/reaction.ts";
import { isEnded, type Operation } from "../../kernel/saga/operation.ts";
import { queueRechecks } from "../../kernel/saga/rechecks.ts";
import { cancelOpen, sagaOf, skipWaits } from "../../kernel/saga/settle.ts";
import { resumeStuck } from "../../kernel/saga/stuck.ts";

export const reaction: Reaction<"operation"> = {
  /** Starts the operation's execution, queues its rechecks, and forwards a cancel, preemption or resume. */
  changed: async (deps, before, after) => {
    const { shapes, workflow } = deps;
    if (isStartable(after) && !isStartable(before)) await workflow.start(after.spec.saga, after.id);
    await queueRechecks(deps, before, after);
    if (after.cancel && !before?.cancel && !isEnded(after))
      await cancelOpen(deps, sagaOf(shapes, after), after);
    if (after.cancel?.preempted && !before?.cancel?.preempted && !isEnded(after))
      await skipWaits(deps, sagaOf(shapes, after), after);
    if (after.status.state === "STUCK" && (after.resume || after.cancel?.preempted))
      await resumeStuck(deps, after.id);
  },
};

const isStartable = (operation: Operation | undefined): boolean =>
  operation !== undefined && operation.status.state === "PENDING" && !operation.queued;
