import { execFileSync } from "node:child_process";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They start real processes and wait for them. */
const waiting = [
  "test/agent/process.test.ts",
  "test/docs/{commands,examples,hub-commands}.test.ts",
  "test/local/{contract,demo,faults,full-disk,growth,kill,kill-random,pages,process,reference,step-functions,webhooks}.test.ts",
  "test/local/login/login.test.ts",
  "test/local/workflow/kill.test.ts",
];

/** They change what a process has one of: its environment, timers, SST's globals, loaded modules. */
const alone = ["test/infra/**/*.test.ts", "test/live/**/*.test.ts"];

const isLong = ({ moduleId }: TestSpecification): boolean =>
  /\/(matrix\/|simulation\.|statemachines\/|openapi-fuzz|kill)/.test(moduleId);

/** One from each in turn. */
const inTurn = <T>(first: T[], second: T[]): T[] =>
  Array.from({ length: Math.max(first.length, second.length) }, (_, n) => [
    ...first.slice(n, n + 1),
    ...second.slice(n, n + 1),
  ]).flat();

/**
 * What waits goes beside what computes in processes of its own; what shares processes is last and
 * together, so that they are kept. A long file that comes last keeps one core waiting for the other.
 */
class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const longFirst = [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
    const of = (name: string) => longFirst.filter(({ project }) => project.name === name);
    return [...inTurn(of("waiting"), of("alone")), ...of("shared")];
  }
}

/** Another share of the matrix with each commit (test/support/matrix/share.ts). */
function share(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short=7", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "0";
  }
}

const all = "test/**/*.test.ts";

export default defineConfig({
  test: {
    // Two cores, and one more worker for what waits: others would only make every test slower.
    maxWorkers: 3,
    sequence: { sequencer: Order },
    // For files that share a process.
    restoreMocks: true,
    unstubEnvs: true,
    // For what hangs. How long a test takes is the machine's affair.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    env: { MATRIX: process.env.MATRIX ?? share() },
    // SST's components are TypeScript that Node alone cannot run.
    server: { deps: { inline: [/\.sst\/platform\/src/] } },
    projects: [
      { extends: true, test: { name: "waiting", include: waiting } },
      { extends: true, test: { name: "alone", include: alone } },
      {
        extends: true,
        test: { name: "shared", include: [all], exclude: [...waiting, ...alone], isolate: false },
      },
    ],
  },
});
