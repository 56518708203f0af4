import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { run } from "../../cli/run.ts";
import { bundleCli, cliParts } from "../../infra/bundle-cli.ts";

/** The command line as people install it, for tests: bundled once in a process, and gone with it. */

let folder: string | undefined;

function ownFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "slipway-cli-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return folder;
}

/** A module of the bundle that is imported when it is needed, by the path of its source. */
export interface Part {
  source: string;
  exports: Record<string, unknown>;
}

let parts: Promise<Part[]> | undefined;

/** All of them but the entry, which would run. Node loads them itself: tests transform what they import. */
export const bundledParts = (): Promise<Part[]> => {
  parts ??= loadParts();
  return parts;
};

async function loadParts(): Promise<Part[]> {
  const { parts, meta } = await cliParts();
  for (const [name, contents] of Object.entries(parts))
    writeFileSync(join(ownFolder(), name), contents);
  const load = createRequire(import.meta.url);
  return Object.entries(meta.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint === undefined || entryPoint === "cli/slipway.js"
      ? []
      : [{ source: entryPoint, exports: load(join(ownFolder(), basename(path))) }],
  );
}

/** Runs a command line in this process. */
export const runBundled: typeof run = async (...args) => {
  const part = (await bundledParts()).find(({ source }) => source === "cli/run.ts");
  if (!part) throw new Error("the bundle has no part of cli/run.ts");
  // It is what cli/run.ts exports.
  return (part.exports as { run: typeof run }).run(...args);
};

let file: Promise<string> | undefined;

/** The path of the bundled file, for processes. */
export const bundledFile = (): Promise<string> => {
  file ??= (async () => {
    const path = join(ownFolder(), "slipway.mjs");
    await bundleCli(path);
    return path;
  })();
  return file;
};
