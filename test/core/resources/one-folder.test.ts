import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { definitionOf, namesOf } from "../../../core/kernel/object/kind.ts";
import { documentationOf } from "../../../core/kernel/request/documentation.ts";
import { apiKinds } from "../../../core/resources/generated/api-kinds.ts";
import { documentations } from "../../../core/resources/generated/documentations.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { operated } from "../../../core/resources/generated/operated.ts";
import { permissions } from "../../../core/resources/generated/permissions.ts";
import { wireForms } from "../../../core/resources/generated/wire-forms.ts";
import { operationSchema } from "../../../core/resources/operation/wire.ts";

/** What is a kind's own is in its folder: nothing outside asks which kind it has before it. */

const root = new URL("../../../", import.meta.url).pathname;
const names = namesOf(kinds);

/** The code of the product outside the folders of kinds. */
const files = ["core", "functions", "statemachines", "agent", "cli"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith(".ts") && !path.startsWith("core/resources/")),
);

const literal = `["'\`](?:${names.join("|")})["'\`]`;
const comparisons = [
  new RegExp(`[!=]==?\\s*${literal}`),
  new RegExp(`${literal}\\s*[!=]==?`),
  new RegExp(`\\bcase\\s+${literal}\\s*:`),
  new RegExp(`\\[[^\\]]*${literal}[^\\]]*\\](?:\\s+as const\\)?)?\\.includes\\(`),
];
const comparesIn = (text: string): string[] =>
  comparisons.flatMap((pattern) => text.match(new RegExp(pattern, "g")) ?? []);

it.each([
  ['if (kind === "cluster") return;', 1],
  ['"host_type" !== kind', 1],
  ['case "user":', 1],
  ['["cluster", "operation"].includes(kind)', 1],
  ['kind === "HostedCluster"', 0],
  ['load(deps, "cluster", id)', 0],
])("%s compares a kind %i times", (text, times) => {
  expect(comparesIn(text)).toHaveLength(times);
});

it("no code outside the folders of kinds compares a kind with a name", () => {
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((path) =>
    comparesIn(readFileSync(join(root, path), "utf8")).map((text) => `${path}: ${text}`),
  );
  expect(found).toEqual([]);
});

it.each(names)("the folder of %s has all that others need", (kind) => {
  for (const registry of [wireForms, apiKinds, permissions, documentations])
    expect(Object.keys(registry)).toContain(kind);
  const { groups, example } = documentationOf(documentations, kind);
  expect(groups.public !== undefined).toBe(permissions[kind]?.public !== undefined);
  const creates = [permissions[kind]?.public, permissions[kind]?.private].some(
    (allowed) => allowed?.create !== undefined,
  );
  expect(example !== undefined).toBe(creates);
  expect(definitionOf(kinds, kind).isOperated === true).toBe(kind in operated);
});

it("operations name the kinds that sagas change as their targets, and no other", () => {
  const { kind } = operationSchema.shape.spec.shape.target.shape;
  expect([...kind.values].sort()).toEqual(Object.keys(operated).sort());
});

/** Small kinds whose other files every start would load with `kind.ts`, beyond the budget of the API's. */
const beyondBudget = ["baremetal-instance-catalog-item", "project"];

it("a kind below 200 lines is one file, and a larger one has several", () => {
  const folders = names.map((kind) => {
    const folder = join(root, "core/resources", kind.replaceAll("_", "-"));
    const own = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => readFileSync(join(folder, path), "utf8").split("\n").length - 1);
    return { kind, files: own.length, lines: own.reduce((sum, lines) => sum + lines, 0) };
  });
  const wrong = folders.filter(({ files, lines }) => (files === 1) !== lines < 200);
  expect(wrong.map(({ kind }) => kind.replaceAll("_", "-")).sort()).toEqual(beyondBudget);
});
