import type { Json } from "../../../core/kernel/store/store.ts";
import type { ParallelState } from "../asl.ts";
import { StateError } from "../errors.ts";
import { together } from "../group.ts";
import type { Trail } from "../journal.ts";
import { json } from "../json.ts";
import { checkDataLimit } from "../limits.ts";
import type { Outcome, Visit } from "../visit.ts";

export async function runParallel(visit: Visit, state: ParallelState): Promise<Outcome> {
  const input = visit.read(json, "started") ?? (await start(visit, state));
  const result = await runBranches(visit, state, input);
  checkDataLimit(result, `result of the state '${visit.name}'`);
  if (visit.read(json, "succeeded") === undefined) {
    visit.write("succeeded", true, [{ type: "ParallelStateSucceeded" }]);
  }
  return visit.shape(state, state.Next, result, { result });
}

/** Decides the input of every branch. */
async function start(visit: Visit, state: ParallelState): Promise<Json> {
  const { Arguments } = state;
  const input =
    Arguments === undefined ? visit.input : await visit.evaluate(Arguments, "Arguments");
  checkDataLimit(input, `arguments of the state '${visit.name}'`);
  visit.write("started", input, [{ type: "ParallelStateStarted" }]);
  return input;
}

async function runBranches(visit: Visit, state: ParallelState, input: Json): Promise<Json[]> {
  const { trail } = visit.branch;
  const branches = state.Branches.map((scope, index) => {
    const own: Trail = { last: trail.last };
    const run = (signal: AbortSignal) => {
      const path = `${visit.key}/branch${index}/`;
      return visit.run.runScope(scope, { ...visit.branch, path, trail: own, signal }, input);
    };
    return { trail: own, run };
  });
  try {
    return await together(
      visit.signal,
      branches.map((branch) => branch.run),
      branches.length,
    );
  } catch (thrown) {
    if (!(thrown instanceof StateError)) throw thrown;
    throw new StateError(thrown.error, thrown.cause, { type: "ParallelStateFailed" });
  } finally {
    trail.last = Math.max(...branches.map((branch) => branch.trail.last));
  }
}
