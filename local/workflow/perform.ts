import type { State } from "./asl.ts";
import { runChoice } from "./states/choice.ts";
import { runFail } from "./states/fail.ts";
import { runMap } from "./states/map.ts";
import { runParallel } from "./states/parallel.ts";
import { runTask } from "./states/task.ts";
import { runWait } from "./states/wait.ts";
import type { Outcome, Visit } from "./visit.ts";

/** One attempt at a state; throws a `StateError` when it fails, an `Interrupt` when it is ended. */
export function perform(visit: Visit, state: State): Promise<Outcome> {
  switch (state.Type) {
    case "Pass":
      return visit.shape(state, state.Next, visit.input);
    case "Succeed":
      return visit.shape(state, undefined, visit.input);
    case "Choice":
      return runChoice(visit, state);
    case "Wait":
      return runWait(visit, state);
    case "Fail":
      return runFail(visit, state);
    case "Task":
      return runTask(visit, state);
    case "Parallel":
      return runParallel(visit, state);
    case "Map":
      return runMap(visit, state);
  }
}
