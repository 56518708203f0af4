import * as z from "zod";
import type { WaitState } from "../asl.ts";
import type { Outcome, Visit } from "../visit.ts";

/** RFC 3339 as Step Functions accepts it: a capital T, and a capital Z where there is no offset. */
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

export async function runWait(visit: Visit, state: WaitState): Promise<Outcome> {
  let end = visit.read(z.number(), "until");
  if (end === undefined) {
    end = await endOf(visit, state);
    visit.write("until", end, []);
  }
  await visit.until(end);
  return visit.shape(state, state.Next, visit.input);
}

/** The end of the wait, in milliseconds since the epoch. */
async function endOf(visit: Visit, state: WaitState): Promise<number> {
  if (state.Timestamp !== undefined) {
    const time = await visit.evaluate(state.Timestamp, "Timestamp");
    const end = typeof time === "string" && rfc3339.test(time) ? Date.parse(time) : Number.NaN;
    if (Number.isNaN(end)) throw visit.wrongValue("Timestamp", "an RFC 3339 timestamp");
    return end;
  }
  const seconds = await visit.evaluate(state.Seconds ?? null, "Seconds");
  if (typeof seconds !== "number" || !Number.isInteger(seconds)) {
    throw visit.wrongValue("Seconds", "an integer");
  }
  if (seconds < 0 || seconds > 99_999_999) {
    throw visit.wrongValue("Seconds", "between 0 and 99999999");
  }
  return visit.run.clock.now() + seconds * 1000;
}
