import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../infra/bundle.ts";

/** What documents say of counts, beside those that the bench has taken last. */

interface Counts {
  [name: string]: number;
}
const golden: Record<string, { counts: Counts }> = JSON.parse(
  readFileSync(join(root, "bench/ops/golden.json"), "utf8"),
);
const text = readFileSync(join(root, "docs/deploy.md"), "utf8");

const lives = ["create, 2 nodes", "delete, 3 nodes"];
const counted = (...names: string[]): number[] =>
  lives.map((life) => names.reduce((sum, name) => sum + (golden[life]?.counts[name] ?? 0), 0));
const numbers = (cells: string): number[] =>
  (cells.replaceAll(/(?<=\d),(?=\d{3})/g, "").match(/\d+/g) ?? []).map(Number);

/** A document may be two in a hundred behind, as no price moves by less. */
function expectNear(said: readonly number[], is: readonly number[]): void {
  expect(said).toHaveLength(is.length);
  for (const [n, value] of is.entries())
    expect(Math.abs((said[n] ?? 0) - value), `${said} where it is ${is}`).toBeLessThanOrEqual(
      Math.max(1, value * 0.02),
    );
}

it.each([
  ["Step Functions: states entered", [counted("transitions")]],
  [
    "DynamoDB: write units, of these for indexes",
    [counted("tableWriteUnits", "indexWriteUnits"), counted("indexWriteUnits")],
  ],
  ["DynamoDB: read units", [counted("readUnits")]],
  ["EventBridge: events and reports of hubs", [counted("events", "reports")]],
])("docs/deploy.md says what a thousand clusters take: %s", (row, is) => {
  const [, made = "", deleted = ""] =
    new RegExp(`^\\| ${row} \\| ([^|]*) \\| ([^|]*) \\|`, "m").exec(text) ?? [];
  expectNear(
    numbers(made),
    is.map(([create = 0]) => create),
  );
  expectNear(
    numbers(deleted),
    is.map(([, deletion = 0]) => deletion),
  );
});

it("docs/deploy.md says what a cluster's life writes and reads", () => {
  const [, said = ""] = /A cluster's life (writes [^(]*)/.exec(text) ?? [];
  const sum = (name: string) => counted(name).reduce((a, b) => a + b, 0);
  expectNear(numbers(said), [sum("tableWriteUnits"), sum("indexWriteUnits"), sum("readUnits")]);
});
