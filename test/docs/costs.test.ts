import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Dollars, dollarsOf } from "../../bench/cost/dollars.ts";
import type { Counts } from "../../bench/cost/meter.ts";
import { root } from "../../infra/bundle.ts";

/** What documents say of counts, beside those that the bench has taken last. */

const golden: Record<string, { counts: Counts }> = JSON.parse(
  readFileSync(join(root, "bench/ops/golden.json"), "utf8"),
);
const text = readFileSync(join(root, "docs/deploy.md"), "utf8");

const lives = ["create, 2 nodes", "delete, 3 nodes"];
const counted = (...names: (keyof Counts)[]): number[] =>
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
  const sum = (name: keyof Counts) => counted(name).reduce((a, b) => a + b, 0);
  expectNear(numbers(said), [sum("tableWriteUnits"), sum("indexWriteUnits"), sum("readUnits")]);
});

/** Dollars of a thousand lives: of their creates, and of their deletes. */
const dollars = lives.map((life) => {
  const { counts } = golden[life] ?? {};
  if (!counts) throw new Error(`${life} was not counted`);
  return Object.fromEntries(
    Object.entries(dollarsOf(counts)).map(([part, each]) => [part, 1000 * each]),
  ) as unknown as Dollars; // Its members are the same.
});
const spent = (...parts: (keyof Dollars)[]): number =>
  dollars.reduce((sum, each) => sum + parts.reduce((of, part) => of + each[part], 0), 0);
const togetherOf = (each: Dollars): number => Object.values(each).reduce((a, b) => a + b, 0);
const whole = spent(...(Object.keys(dollars[0] ?? {}) as (keyof Dollars)[]));

/** The cells of the row that begins so, without what makes them bold. */
function cellsOf(document: string, row: string): string[] {
  const lines = readFileSync(join(root, document), "utf8").replaceAll("**", "").split("\n");
  const found = lines.filter((line) => line.startsWith(`| ${row}`));
  expect(found, `${row} of ${document}`).toHaveLength(1);
  return found.flatMap((line) => line.split(" | ").slice(1)).map((cell) => cell.replace(" |", ""));
}

/** A cent is as much as a document says, and half of one is lost by the rounding of each. */
const expectCents = (said: string | undefined, is: number) =>
  expect(Math.abs(Number(said) - is), `${said} where it is ${is}`).toBeLessThan(0.0101);

it.each<[string, (keyof Dollars)[]]>([
  ["Step Functions: states", ["Step Functions"]],
  ["DynamoDB: write units", ["DynamoDB writes"]],
  ["DynamoDB: read units", ["DynamoDB reads"]],
  ["Lambda: runs", ["Lambda"]],
  ["EventBridge: events", ["EventBridge"]],
  ["X-Ray: traces", ["X-Ray"]],
  ["SQS: messages", ["SQS"]],
  ["HTTP API and its access log", ["HTTP API", "CloudWatch Logs"]],
])("docs/deploy.md says the dollars of a thousand clusters: %s", (row, parts) => {
  expectCents(cellsOf("docs/deploy.md", row).at(-1), spent(...parts));
});

it("docs/deploy.md and docs/performance.md say what a thousand clusters cost together, and whether that is the aim", () => {
  const cells = cellsOf("docs/deploy.md", "together, with 2 hubs");
  for (const [n, each] of dollars.entries()) expectCents(cells[n], togetherOf(each));
  expectCents(cells[dollars.length], whole);
  expectCents(cellsOf("docs/performance.md", "together")[1], whole);
  const [, aim = "", missed = "0"] =
    /the aim is ([\d.]+),\nwhich is (?:missed by ([\d.]+)|met)/.exec(text) ?? [];
  expectCents(missed, Math.max(0, whole - Number(aim)));
});

it.each<[string, (keyof Dollars)[]]>([
  ["states of Step Functions", ["Step Functions"]],
  ["writes", ["DynamoDB writes"]],
  ["reads", ["DynamoDB reads"]],
  ["Lambda", ["Lambda"]],
  ["events and reports", ["EventBridge"]],
])("docs/performance.md says the dollars of a thousand clusters: %s", (row, parts) => {
  expectCents(cellsOf("docs/performance.md", `${row} |`)[1], spent(...parts));
});
