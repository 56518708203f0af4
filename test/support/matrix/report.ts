import type { Reporter, TestCase, TestModule } from "vitest/node";

/** The table at the end of the matrix: what all of its files have counted. */

export interface Counted {
  name: string;
  combinations: number;
  /** The impossible combinations, by their reasons. */
  impossible: Record<string, number>;
  run: number;
  lost: number;
  leaked: number;
  stuck: number;
  idle: number;
}

declare module "vitest" {
  interface TaskMeta {
    /** What a file of the matrix has counted. */
    matrix?: Counted;
  }
}

const columns = ["combinations", "impossible", "run", "lost", "leaked", "stuck", "idle"] as const;

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

/** The table and, below it, the reasons. Pure. */
export function tableOf(files: readonly Counted[]): string {
  const reasons = files.flatMap(({ impossible }) => Object.entries(impossible));
  const rows = files.map((file) => ({ ...file, impossible: sum(Object.values(file.impossible)) }));
  const total = Object.fromEntries(
    columns.map((column) => [column, sum(rows.map((row) => row[column]))]),
  ) as Record<(typeof columns)[number], number>;
  const width = Math.max(...rows.map(({ name }) => name.length), 5);
  const line = (name: string, cells: readonly (string | number)[]) =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(12))].join("");
  const byReason = [...Map.groupBy(reasons, ([why]) => why)].map(
    ([why, each]) => [sum(each.map(([, count]) => count)), why] as const,
  );
  return [
    line("", columns),
    ...rows.map((row) =>
      line(
        row.name,
        columns.map((column) => row[column]),
      ),
    ),
    line(
      "all",
      columns.map((column) => total[column]),
    ),
    "",
    "idle: the way came to nothing in this change, and the case ended as if nothing had been broken",
    "impossible:",
    ...byReason
      .toSorted(([a], [b]) => b - a)
      .map(([count, why]) => `${String(count).padStart(6)}  ${why}`),
  ].join("\n");
}

/** Prints the table once all files have run. */
export class MatrixReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests: TestCase[] = modules.flatMap((module) => [...module.children.allTests()]);
    const files = tests.flatMap((test) => test.meta().matrix ?? []);
    if (files.length > 0) console.log(`\n${tableOf(files)}\n`);
  }
}
