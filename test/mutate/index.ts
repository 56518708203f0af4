import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createVitest, type VitestPluginContext } from "vitest/node";
import { seeded } from "../support/random.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { nearestTests } from "./nearest-tests.ts";

/**
 * `npm run mutate -- FILE`: changes the file in one place after another, in memory alone, and says which changes no test
 * notices.
 */

const usage = `npm run mutate -- FILE [--sample 40] [--nearest 8] [--seed 1] [--with TEST ...]

--sample   how many mutants are tried, drawn by the seed
--nearest  how many tests run: those with the fewest imports between them and the file
--with     further tests, such as one of a world`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "40" },
    nearest: { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
    with: { type: "string", multiple: true, default: [] },
  },
});
const [target] = positionals;
if (target === undefined) throw new Error(usage);
const path = resolve(target);
const source = readFileSync(path, "utf8");
const tests = [
  ...new Set([...values.with, ...nearestTests(relative(".", path), Number(values.nearest))]),
];

/** The cache knows a file by what is on the disk, so the one that is changed stays out of it. */
const keepOutOfCache = ({ defineCacheKeyGenerator }: VitestPluginContext): void =>
  defineCacheKeyGenerator(({ id }) => (id.split("?")[0] === path ? false : undefined));

/** Whether the tests notice this text in the place of the file; each has a Vitest of its own, which has loaded nothing. */
async function isNoticed(text: string): Promise<boolean> {
  let isLoaded = false;
  const load = (id: string) => {
    if (id.split("?")[0] !== path) return null;
    isLoaded = true;
    return text;
  };
  const vitest = await createVitest(
    "test",
    {
      ...{ config: false, watch: false, include: tests, bail: 1, reporters: [{}] },
      ...{ fsModuleCache: true, maxWorkers: 1, isolate: false },
      ...{ restoreMocks: true, unstubEnvs: true, testTimeout: 60_000, env: { SEED: "1" } },
    },
    { plugins: [{ name: "mutant", enforce: "pre", load, configureVitest: keepOutOfCache }] },
  );
  try {
    const specifications = await vitest.globTestSpecifications();
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    if (!isLoaded) throw new Error(`no test loads ${target}: ${tests.join(" ")}`);
    return unhandledErrors.length > 0 || testModules.some((each) => !each.ok());
  } finally {
    await vitest.close();
  }
}

if (await isNoticed(source)) throw new Error(`the tests fail as they are: ${tests.join(" ")}`);
const random = seeded(Number(values.seed));
const all = mutantsOf(source);
const tried = all
  .map((mutant) => ({ mutant, lot: random() }))
  .toSorted((a, b) => a.lot - b.lot)
  .slice(0, Number(values.sample))
  .map(({ mutant }) => mutant)
  .toSorted((a, b) => a.line - b.line);
const survivors: Mutant[] = [];
for (const mutant of tried) if (!(await isNoticed(mutant.source))) survivors.push(mutant);
for (const { line, before, after } of survivors)
  console.log(`${target}:${line}: nothing notices ${before} => ${after || "(left out)"}`);
const killed = tried.length - survivors.length;
const score = Math.round((100 * killed) / Math.max(1, tried.length));
console.log(
  `${target}: ${score} % (${killed} of ${tried.length} mutants noticed, ${all.length} possible) by ${tests.join(" ")}`,
);
