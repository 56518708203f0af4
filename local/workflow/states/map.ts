import * as z from "zod";
import type { Json } from "../../../core/kernel/store/store.ts";
import type { MapState } from "../asl.ts";
import { Interrupt, isLeft, StateError } from "../errors.ts";
import { together } from "../group.ts";
import { mapIteration, mapStarted } from "../history.ts";
import type { Trail } from "../journal.ts";
import { json } from "../json.ts";
import { checkDataLimit } from "../limits.ts";
import type { Outcome, Visit } from "../visit.ts";

/** The default of `MaxConcurrency` (developer guide, inline mode). */
const defaultConcurrency = 40;

const startedRecord = z.object({ items: z.array(json), concurrency: z.number() });
type Started = z.infer<typeof startedRecord>;

export async function runMap(visit: Visit, state: MapState): Promise<Outcome> {
  const started = visit.read(startedRecord, "started") ?? (await start(visit, state));
  const result = await runIterations(visit, state, started);
  checkDataLimit(result, `result of the state '${visit.name}'`);
  if (visit.read(json, "succeeded") === undefined) {
    visit.write("succeeded", true, [{ type: "MapStateSucceeded" }]);
  }
  return visit.shape(state, state.Next, result, { result });
}

async function start(visit: Visit, state: MapState): Promise<Started> {
  const { Items, MaxConcurrency } = state;
  const items = Items === undefined ? visit.input : await visit.evaluate(Items, "Items");
  if (!Array.isArray(items)) throw visit.wrongValue("Items", "an array");
  const limit = await visit.evaluate(MaxConcurrency ?? 0, "MaxConcurrency");
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 0) {
    throw visit.wrongValue("MaxConcurrency", "an integer of at least 0");
  }
  const started = { items, concurrency: limit === 0 ? defaultConcurrency : limit };
  visit.write("started", started, [mapStarted(items.length)]);
  return started;
}

async function runIterations(visit: Visit, state: MapState, started: Started): Promise<Json[]> {
  const { trail } = visit.branch;
  const iterations = started.items.map((item, index) => {
    const own: Trail = { last: trail.last };
    const run = (signal: AbortSignal) => runIteration(visit, state, item, index, own, signal);
    return { trail: own, run };
  });
  try {
    return await together(
      visit.signal,
      iterations.map((iteration) => iteration.run),
      started.concurrency,
    );
  } catch (thrown) {
    if (!(thrown instanceof StateError)) throw thrown;
    throw new StateError(thrown.error, thrown.cause, { type: "MapStateFailed" });
  } finally {
    trail.last = Math.max(trail.last, ...iterations.map((iteration) => iteration.trail.last));
  }
}

async function runIteration(
  visit: Visit,
  state: MapState,
  item: Json,
  index: number,
  trail: Trail,
  signal: AbortSignal,
): Promise<Json> {
  const { name } = visit;
  const step = `iteration${index}`;
  const path = `${visit.key}/${step}/`;
  const context = { ...visit.branch.context, Map: { Item: { Index: index, Value: item } } };
  const branch = { ...visit.branch, path, trail, signal, context };
  let input = visit.read(json, `${step}/started`, trail);
  try {
    if (input === undefined) {
      input = await inputOf(visit, state, item, branch.context);
      visit.write(`${step}/started`, input, [mapIteration("Started", name, index)], { trail });
    }
    const output = await visit.run.runScope(state.ItemProcessor, branch, input);
    visit.tell(`${step}/succeeded`, mapIteration("Succeeded", name, index), trail);
    return output;
  } catch (thrown) {
    if (thrown instanceof StateError) {
      visit.tell(`${step}/failed`, mapIteration("Failed", name, index), trail);
    }
    if (thrown instanceof Interrupt && !isLeft(thrown)) {
      visit.tell(`${step}/aborted`, mapIteration("Aborted", name, index), trail);
    }
    throw thrown;
  }
}

async function inputOf(
  visit: Visit,
  state: MapState,
  item: Json,
  context: { [member: string]: Json },
): Promise<Json> {
  if (state.ItemSelector === undefined) return item;
  const seen = { context: { ...visit.context, ...context } };
  return visit.evaluate(state.ItemSelector, "ItemSelector", seen);
}
