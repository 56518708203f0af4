import * as z from "zod";
import type { Json } from "../../core/kernel/store/store.ts";
import type { Scope, State } from "./asl.ts";
import type { Branch } from "./branch.ts";
import { Interrupt, isLeft, matchesError, StateError, toStateError } from "./errors.ts";
import { stateEntered, stateExited } from "./history.ts";
import { json } from "./json.ts";
import { perform } from "./perform.ts";
import { Retries } from "./retry.ts";
import { type Outcome, Visit, type VisitPlace } from "./visit.ts";

const enteredRecord = z.number();
const exitRecord = z.object({
  output: json,
  assign: z.record(z.string(), json).optional(),
  next: z.string().optional(),
});

const failureRecord = z.object({
  error: z.string().optional(),
  cause: z.string().optional(),
  /** The retrier of the failure, and when the next attempt starts. */
  retry: z.object({ retrier: z.number(), at: z.number() }).optional(),
});
type Failure = z.infer<typeof failureRecord>;

/** Runs a scope's states one after another; resolves with the output of the last one. */
export async function runScope(scope: Scope, branch: Branch, input: Json): Promise<Json> {
  let name = scope.StartAt;
  let current = input;
  let variables = branch.variables;
  for (let step = 0; ; step += 1) {
    const state = scope.States[name];
    if (state === undefined) throw new StateError("States.Runtime", `There is no state '${name}'.`);
    const key = `${branch.path}${step}`;
    const outcome = await runState({ ...branch, variables }, key, name, state, current);
    variables = { ...variables, ...outcome.assign };
    current = outcome.output;
    if (outcome.next === undefined) return current;
    name = outcome.next;
  }
}

async function runState(
  branch: Branch,
  key: string,
  name: string,
  state: State,
  input: Json,
): Promise<Outcome> {
  const { journal } = branch.run;
  const exited = journal.read(branch.trail, `${key}/exited`);
  if (exited !== undefined) return exitRecord.parse(exited);
  const entered = enter(branch, key, name, state, input);
  const place = { key, name, attempt: 0, entered };
  try {
    const outcome = await attempts(branch, place, state, input);
    branch.signal.throwIfAborted();
    const event = stateExited(state.Type, name, outcome.output, outcome.assign);
    journal.write(branch.trail, `${key}/exited`, plain(outcome), [event]);
    return outcome;
  } catch (thrown) {
    const ended = thrown instanceof Interrupt && !isLeft(thrown);
    if (ended && tellsAbort.has(state.Type)) {
      const visit = new Visit(branch, place, input);
      visit.tell("aborted", { type: `${state.Type}StateAborted` });
    }
    throw thrown;
  }
}

/** The types of states that have a history event for their abort. */
const tellsAbort = new Set<State["Type"]>(["Task", "Wait", "Parallel", "Map"]);

/** When the state was entered, in milliseconds since the epoch. */
function enter(branch: Branch, key: string, name: string, state: State, input: Json): number {
  const { journal, clock } = branch.run;
  const entered = journal.read(branch.trail, `${key}/entered`);
  if (entered !== undefined) return enteredRecord.parse(entered);
  branch.signal.throwIfAborted();
  const now = clock.now();
  journal.write(branch.trail, `${key}/entered`, now, [stateEntered(state.Type, name, input)]);
  return now;
}

/** Performs the state, with its Retry; its Catch handles the last failure. */
async function attempts(
  branch: Branch,
  place: VisitPlace,
  state: State,
  input: Json,
): Promise<Outcome> {
  const retries = new Retries("Retry" in state ? state.Retry : []);
  for (let attempt = 0; ; attempt += 1) {
    const key = `${place.key}/${attempt}`;
    const visit = new Visit(branch, { ...place, key, attempt }, input);
    let failure = visit.read(failureRecord, "failed");
    if (failure === undefined) {
      try {
        return await perform(visit, state);
      } catch (thrown) {
        if (thrown instanceof Interrupt) throw thrown;
        failure = recordFailure(visit, toStateError(thrown), retries);
      }
    }
    if (failure.retry === undefined) return caught(visit, state, failure);
    retries.use(failure.retry.retrier);
    await visit.until(failure.retry.at);
  }
}

function recordFailure(visit: Visit, thrown: StateError, retries: Retries): Failure {
  const { clock, random } = visit.run;
  const { error, cause, event } = thrown;
  const retrier = retries.choose(error);
  const at = retrier === undefined ? 0 : clock.now() + retries.delay(retrier, random);
  const failure = { error, cause, retry: retrier === undefined ? undefined : { retrier, at } };
  visit.write("failed", plain(failure), event === undefined ? [] : [event]);
  return failure;
}

async function caught(visit: Visit, state: State, failure: Failure): Promise<Outcome> {
  const { error, cause } = failure;
  const catchers = "Catch" in state ? (state.Catch ?? []) : [];
  const catcher = catchers.find(({ ErrorEquals }) => matchesError(ErrorEquals, error));
  if (catcher === undefined) throw new StateError(error, cause);
  const errorOutput = { Error: error ?? "", Cause: cause ?? "" };
  return visit.shape(catcher, catcher.Next, errorOutput, { errorOutput });
}

/** Drops undefined members. */
function plain(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}
