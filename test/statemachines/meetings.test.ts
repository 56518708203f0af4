import { afterAll, expect, it } from "vitest";
import { subjects } from "../support/matrix/all.ts";
import { Plays } from "../support/meetings/play.ts";
import { isWhole as isMatrixWhole, seed } from "../support/seed.ts";

/**
 * Two attempts and two looks of each state of each saga, whose calls meet in any order: the record is as
 * if they had come one after the other, and the books are right. `npm run test:worlds` runs each saga once,
 * `npm run matrix` 2,000 meetings of them all; another `SEED` has them meet in other orders. A failure says
 * its own seed: `MEETINGS_SEED=<seed> npx vitest run test/statemachines/meetings.test.ts -t <saga>` is the
 * same run again.
 */

const { MEETINGS_SEED } = process.env;
const isWhole = isMatrixWhole && MEETINGS_SEED === undefined;
/** Of four seeds in a row the first has the last step fail, so that each undo runs. */
const first = 4 * seed;

const sagas = subjects.flatMap((subject) =>
  Object.keys(subject.changes).map((name) => [name, new Plays(subject, name)] as const),
);
const states = sagas.reduce((sum, [, plays]) => sum + plays.states.length, 0);
/** How many tasks of each state have to meet. */
const each = isWhole ? Math.ceil(2000 / states) : 1;

let runs = 0;
let wrong = 0;

async function met(plays: Plays, seed: number): Promise<void> {
  runs += 1;
  wrong += 1;
  try {
    await plays.meet(seed);
  } catch (error) {
    throw new Error(`in the order of MEETINGS_SEED=${seed}`, { cause: error });
  }
  wrong -= 1;
}

it.each(sagas)(
  "%s: attempts that meet leave what they leave one after the other",
  async (_, plays) => {
    if (MEETINGS_SEED !== undefined) return met(plays, Number(MEETINGS_SEED));
    const isEnough = () => plays.states.every((state) => (plays.met.get(state) ?? 0) >= each);
    for (let n = 0; n < 4 * each && !isEnough(); n++) await met(plays, first + n);
    expect(isEnough()).toBe(true);
  },
  3_600_000,
);

afterAll(() => {
  const all = sagas.flatMap(([, { states, met }]) => states.map((state) => met.get(state) ?? 0));
  const total = all.reduce((sum, n) => sum + n, 0);
  const lost = sagas.reduce((sum, [, { counts }]) => sum + counts.lost, 0);
  console.log(
    `meetings: ${total} at ${states} states, at each ${Math.min(...all)} or more, in ${runs} runs; ` +
      `seeds from ${MEETINGS_SEED ?? first}; lost ${lost}, wrong ${wrong}`,
  );
});
