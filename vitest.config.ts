import { execFileSync } from "node:child_process";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const isLong = ({ moduleId }: TestSpecification): boolean =>
  /\/(matrix\/|simulation\.|site\.test|kill)/.test(moduleId);

/** A long file that comes last keeps one core waiting for the other. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Another share of the matrix with each commit (test/support/matrix-share.ts). */
function share(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short=7", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "0";
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Two cores: more workers only make every test slower.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { MATRIX: process.env.MATRIX ?? share() },
    // SST's components are TypeScript that Node alone cannot run.
    server: { deps: { inline: [/\.sst\/platform\/src/] } },
  },
});
