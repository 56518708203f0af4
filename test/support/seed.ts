import { relative } from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";

/** What tests draw at random: the same in each run (vitest.config.ts), and something else with another `SEED`. */

export const seed = Number(process.env.SEED);

/** Whether all cases run of those of which a sample runs otherwise. */
export const isWhole = process.env.MATRIX === "whole";

/** The command that draws the same again. */
function again(): string {
  const { testPath = "" } = expect.getState();
  const { FUZZ_RUNS } = process.env;
  const runs = FUZZ_RUNS ? `FUZZ_RUNS=${FUZZ_RUNS} ` : "";
  return `${runs}SEED=${seed} npx vitest run ${relative(process.cwd(), testPath)}`;
}

const reporting: fc.Plugin<unknown> = () => ({
  onAllRunsComplete: (details) => {
    if (!details.failed) return;
    const said = fc.defaultReportMessage(details);
    throw new Error(`${said}\nThe same again: ${again()}`, { cause: details.errorInstance });
  },
});

/** How often a property is tried. A failure says how to run the same again. */
export const tries = (numRuns: number, from = seed) => ({
  numRuns,
  seed: from,
  plugins: [reporting],
});
