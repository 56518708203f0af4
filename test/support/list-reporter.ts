import { createHash } from "node:crypto";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** The tests, of which two lists with the same hash have the same. Pure. */
export function listOf(tests: readonly { file: string; name: string }[]): string {
  const names = tests.map(({ file, name }) => `${file}: ${name}`).toSorted();
  const hash = createHash("sha256").update(names.join("\n")).digest("hex");
  const files = new Set(tests.map(({ file }) => file));
  return `tests: ${names.length} in ${files.size} files, list ${hash.slice(0, 12)}`;
}

/** Prints which tests ran, whether they passed or failed, and with which seed. */
export class ListReporter implements Reporter {
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = modules.flatMap(({ moduleId, children }) =>
      [...children.allTests()]
        .filter((test) => test.result().state !== "skipped")
        .map(({ fullName }) => ({ file: relative(process.cwd(), moduleId), name: fullName })),
    );
    console.log(`\n${listOf(ran)}, seed ${this.#seed}`);
    const moved = ran.filter(({ name }) => name.includes(process.cwd()));
    if (moved.length === 0) return;
    console.error("Names of tests with this folder's path, which is another elsewhere:", moved);
    process.exitCode = 1;
  }
}
