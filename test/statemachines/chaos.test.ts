import { expect, it } from "vitest";
import { chaos, inOneLine } from "../support/chaos/chaos.ts";

/**
 * Changes of clusters that compete for hosts, with faults and kills: every operation ends within its own
 * deadlines, and the books are right. `npm test` has a few accepted, others with each commit; `npm run
 * chaos` 1,000, others each time. `CHAOS_SEED=<what a run printed>` repeats one, and `CHAOS` is their number.
 */

const { CHAOS, CHAOS_SEED, MATRIX = "0" } = process.env;
const changes = Number(CHAOS ?? 4);
const seed = Number(
  CHAOS_SEED ?? (CHAOS === undefined ? Number.parseInt(MATRIX, 16) || 0 : Date.now() % 1e9),
);

it(`${changes} changes with faults and kills: all end in time, and nothing is left (CHAOS_SEED=${seed})`, async () => {
  const { accepted, refused, faults, kills, operations, stuck, late, leaked } = await chaos(
    seed,
    changes,
  );
  console.log(
    [
      `chaos: CHAOS_SEED=${seed}, changes accepted: ${inOneLine(accepted)}; refused ${refused}`,
      `faults: ${inOneLine(faults)}; kills ${kills}`,
      `operations: ${inOneLine(operations)}; stuck and resumed ${stuck}, late ${late.length}, leaked ${leaked.length}`,
    ].join("\n"),
  );
  expect({ late, leaked }).toEqual({ late: [], leaked: [] });
}, 3_600_000);
