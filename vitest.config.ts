import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { ListReporter } from "./test/support/list-reporter.ts";
import { alone, smoke, waiting, worlds } from "./test/support/lists.ts";
import { MatrixReporter } from "./test/support/matrix/report.ts";

/** Takes one from each list in turn. */
const inTurn = <T>(first: T[], second: T[]): T[] =>
  Array.from({ length: Math.max(first.length, second.length) }, (_, n) => [
    ...first.slice(n, n + 1),
    ...second.slice(n, n + 1),
  ]).flat();

const isOfWorlds = ({ project }: TestSpecification): boolean =>
  project.name === "worlds" || project.name === "waiting";
const hasSmoke = ({ moduleId }: TestSpecification): boolean =>
  readFileSync(moduleId, "utf8").includes(smoke);
const only = ({ project, moduleId }: TestSpecification, tags: string): TestSpecification =>
  project.createSpecification(moduleId, { testTagsFilter: [tags] });

/** The files that the named list contains; all of them without a list. */
function ofList(files: TestSpecification[], list: string | undefined): TestSpecification[] {
  const ofWorlds = files.filter(isOfWorlds);
  switch (list) {
    case undefined:
      return files;
    case "test": {
      const smokes = ofWorlds.filter(hasSmoke).map((file) => only(file, "smoke"));
      return [...files.filter((file) => !isOfWorlds(file)), ...smokes];
    }
    case "worlds":
      return ofWorlds.map((file) => only(file, "!smoke"));
    default:
      throw new Error(`LIST is ${list}: it may be test or worlds`);
  }
}

/**
 * The same order each time. Tests that wait run first, beside tests that compute in processes of their own. Tests that
 * share processes run after them and together, so that the processes are kept.
 */
class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byPath = files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
    const listed = ofList(byPath, process.env.LIST);
    const of = (name: string) => listed.filter(({ project }) => project.name === name);
    return [...inTurn(of("waiting"), of("alone")), ...of("worlds"), ...of("shared")];
  }
}

// Compiled once for all processes: the workers, and those that tests start.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/node");

/** Half of the tests that run at once wait, so that these workers keep two cores busy. */
const first = { maxWorkers: 4, sequence: { groupOrder: 0 } };
const together = { isolate: false, maxWorkers: 3, sequence: { groupOrder: 1 } };

/** What tests draw at random comes from it (test/support/seed.ts): the same in each run, unless somebody explores. */
const { SEED: seed = "1" } = process.env;

export default defineConfig({
  test: {
    sequence: { sequencer: Order },
    // The names of what failed come last, where a reader of the end of a log finds them.
    reporters: [new MatrixReporter(), "default", new ListReporter(seed)],
    tags: [
      {
        name: "smoke",
        description: "What npm test runs of a world: its happy path, and one undo.",
      },
    ],
    // Restores mocks, for files that share a process.
    restoreMocks: true,
    unstubEnvs: true,
    // The timeout is for tests that hang. How long a test takes depends on the machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    env: { SEED: seed },
    // SST's components are TypeScript that Node alone cannot run.
    server: { deps: { inline: [/\.sst\/platform\/src/] } },
    projects: [
      { extends: true, test: { name: "waiting", include: waiting, ...first } },
      { extends: true, test: { name: "alone", include: alone, ...first } },
      { extends: true, test: { name: "worlds", include: worlds, ...together } },
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: [...waiting, ...alone, ...worlds],
          ...together,
        },
      },
    ],
  },
});
