import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { story } from "../cli/printed/story.ts";
import { blocksOf, root } from "../support/document-commands.ts";

/** Lines of the command line mean the same in every shell that people type them into. */

const documents = [
  "README.md",
  ...["docs", "docs/first-cluster"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];

/** The lines of `slipway` in a block, without what other programs make of their output. */
const linesOf = (block: string): string[] =>
  block
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .flatMap((line) => /^ *(?:npm run -s slipway --|slipway) (.*)$/.exec(line)?.slice(1) ?? [])
    // A command within another one, and one for a shell by its name, are not for all of them.
    .filter((line) => !/\$\(|<\(/.test(line))
    .map((line) => line.replace(/ (?:[|>&]|2>|# ).*$/, ""));

const shown = new Set([
  ...documents.flatMap((document) => blocksOf(document).flatMap(linesOf)),
  ...Object.values(story)
    .flat()
    .map(([line]) => line),
]);

/** How each shell says the words that it makes of `slipway …`: each with a zero behind it, and a line of its own. */
const shells: Record<string, string> = {
  bash: `slipway() { printf '%s\\0' "$@"; printf '\\n'; }`,
  zsh: `slipway() { printf '%s\\0' "$@"; printf '\\n'; }`,
  fish: `function slipway; printf '%s\\0' $argv; printf '\\n'; end`,
};

function wordsIn(shell: string): string[][] {
  const script = [shells[shell], ...[...shown].map((line) => `slipway ${line}`)].join("\n");
  const options = { bash: ["--norc"], zsh: ["-f"], fish: ["--no-config"] }[shell] ?? [];
  const { stdout, stderr, status } = spawnSync(shell, [...options, "-c", script], {
    cwd: root,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return stdout
    .split("\0\n")
    .slice(0, -1)
    .map((line) => line.split("\0"));
}

const others = ["zsh", "fish"];
const has = (shell: string) => spawnSync("which", [shell]).status === 0;
const missing = ["bash", ...others].filter((shell) => !has(shell));
if (missing.length > 0) console.log(`skipped, as these are not there: ${missing.join(", ")}`);

it.skipIf(!has("bash"))("there are lines, and bash reads them all", () => {
  expect(shown.size).toBeGreaterThan(200);
  expect(wordsIn("bash")).toHaveLength(shown.size);
});

it.skipIf(!has("bash")).each(others.filter(has))("%s reads what bash reads", (shell) => {
  expect(wordsIn(shell)).toEqual(wordsIn("bash"));
});
