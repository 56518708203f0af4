import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, it } from "vitest";

/** What docs name as the proof of a sentence is there. */

const docs = readdirSync("docs")
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);

it.each(["README.md", "CONTRIBUTING.md", ...docs])("the tests that %s names are there", (path) => {
  const named = readFileSync(path, "utf8").match(/(?<=[\s`])test\/[\w./-]*\w/g) ?? [];
  expect(named.filter((file) => !isThere(file))).toEqual([]);
});

/** A file, a folder, or the beginning of the names of some. */
function isThere(path: string): boolean {
  const folder = dirname(path);
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(basename(path)));
}

it("docs/bare-metal.md names tests", () => {
  expect(readFileSync("docs/bare-metal.md", "utf8")).toMatch(/`test\/statemachines\//);
});
