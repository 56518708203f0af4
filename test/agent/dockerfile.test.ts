import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runAgent } from "../support/agent-process.ts";
import { temporaryFolder } from "../support/home.ts";

/** What the image gets is enough for the agent to run, and nothing that it does not use. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const dockerfile = readFileSync(join(root, "agent/Dockerfile"), "utf8");

/** Files of the repository that the last stage copies. */
function copied(): string[] {
  const lines = dockerfile.split("\n").filter((line) => /^COPY (?!--from)/.test(line));
  // The first stage copies packages' lists.
  return lines.slice(1).flatMap((line) => {
    const [, source = ""] = line.split(/\s+/);
    if (source.endsWith("/*.ts")) return filesIn(dirname(source), /^[^/]*\.ts$/);
    return /\.\w+$/.test(source) ? [source] : filesIn(source, /./);
  });
}

function filesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name)))
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
}

/** What a module of ours imports when it runs, with what that imports. */
function imported(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = readFileSync(join(root, path), "utf8");
  for (const [, type, from = ""] of text.matchAll(
    /^import (type )?(?:[^"';]* from )?"(\.[^"]+)";/gm,
  )) {
    if (type === undefined) imported(join(dirname(path), from), seen);
  }
  return seen;
}

it("has every module that the agent imports, and no folder that it does not", () => {
  const has = new Set(copied());
  const needed = [...imported("agent/main.ts")];
  expect(needed.filter((path) => !has.has(path))).toEqual([]);
  const folders = new Set(needed.map((path) => dirname(path)));
  expect([...has].filter((path) => !folders.has(dirname(path)))).toEqual(["package.json"]);
});

it("runs from the files that are copied alone", async () => {
  const image = temporaryFolder();
  for (const path of copied()) {
    mkdirSync(dirname(join(image, path)), { recursive: true });
    cpSync(join(root, path), join(image, path));
  }
  symlinkSync(join(root, "node_modules"), join(image, "node_modules"));
  const { code, stderr } = await runAgent({}, join(image, "agent/main.ts")).exit;
  expect(stderr).toContain("SLIPWAY_HUB is required");
  expect(code).toBe(1);
});

it("runs as somebody who is not root, without a shell in between", () => {
  expect(dockerfile).toMatch(/^USER [1-9]\d*$/m);
  expect(dockerfile).toMatch(/^CMD \["node", "agent\/main\.ts"\]$/m);
});
