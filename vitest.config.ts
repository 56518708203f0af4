import { execFileSync } from "node:child_process";
import { relative, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { longFiles, restingFiles } from "./test/support/matrix/long-files.ts";
import { MatrixReporter } from "./test/support/matrix/report.ts";

/** Tests that start real processes and wait for them. */
const waiting = [
  "test/agent/process.test.ts",
  "test/cli/process.test.ts",
  "test/console/*.test.ts",
  "test/docs/{commands,examples,first-cluster,hub-commands}.test.ts",
  "test/local/{contract,demo,faults,full-disk,growth,kill,kill-random,pages,process,reference,step-functions,webhooks}.test.ts",
  "test/local/login/login.test.ts",
  "test/local/workflow/kill.test.ts",
];

/**
 * Tests that change state of which a process has only one: its environment, timers, SST's globals,
 * loaded modules.
 */
const alone = ["test/infra/**/*.test.ts", "test/live/**/*.test.ts"];

const isLong = ({ moduleId }: TestSpecification): boolean =>
  /\/(matrix\/|simulate\/simulation|statemachines\/|openapi-fuzz|kill)/.test(moduleId);

/** Takes one from each list in turn. */
const inTurn = <T>(first: T[], second: T[]): T[] =>
  Array.from({ length: Math.max(first.length, second.length) }, (_, n) => [
    ...first.slice(n, n + 1),
    ...second.slice(n, n + 1),
  ]).flat();

/** The share of the matrix; another one with each commit (test/support/matrix/share.ts). */
function share(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short=7", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "0";
  }
}

const matrix = process.env.MATRIX ?? share();

/** Long files that are left to other commits. */
const resting = new Set(restingFiles(matrix));

/**
 * Tests that wait run first, beside tests that compute in processes of their own. Tests that share
 * processes run after them and together, so that the processes are kept. A long file at the end would
 * leave one core idle.
 */
class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(this.#ofThisCommit(files));
    const longFirst = [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
    const of = (name: string) => longFirst.filter(({ project }) => project.name === name);
    return [...inTurn(of("waiting"), of("alone")), ...of("shared")];
  }

  /** Where all files are to run, those whose turn it is; of files that somebody names, all. */
  #ofThisCommit(files: TestSpecification[]): TestSpecification[] {
    const pathOf = ({ moduleId }: TestSpecification) => relative(process.cwd(), moduleId);
    const named = new Set(files.map(pathOf));
    if (resting.size === 0 || !longFiles.every((file) => named.has(file))) return files;
    this.ctx.logger.log(
      `${resting.size} of ${longFiles.length} long files are left to other commits (npm run test:whole)`,
    );
    return files.filter((file) => !resting.has(pathOf(file)));
  }
}

/** What tests draw at random (test/support/seed.ts): something else in each run. */
const drawn = (): string => String(Date.now() % 1e9);

// Compiled once for all processes: the workers, and those that tests start.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/node");

const all = "test/**/*.test.ts";
/** Half of the tests that run at once wait, so that these workers keep two cores busy. */
const first = { maxWorkers: 4, sequence: { groupOrder: 0 } };

export default defineConfig({
  test: {
    sequence: { sequencer: Order },
    // The names of what failed come last, where a reader of the end of a log finds them.
    reporters: [new MatrixReporter(), "default"],
    // Restores mocks, for files that share a process.
    restoreMocks: true,
    unstubEnvs: true,
    // The timeout is for tests that hang. How long a test takes depends on the machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    env: { MATRIX: matrix, SEED: process.env.SEED ?? drawn() },
    // SST's components are TypeScript that Node alone cannot run.
    server: { deps: { inline: [/\.sst\/platform\/src/] } },
    projects: [
      { extends: true, test: { name: "waiting", include: waiting, ...first } },
      { extends: true, test: { name: "alone", include: alone, ...first } },
      {
        extends: true,
        test: {
          name: "shared",
          include: [all],
          exclude: [...waiting, ...alone],
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
