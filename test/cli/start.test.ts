import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/home.ts";

/** What a start of `slipway` reads before it knows what is asked of it. `npm run bench -- cli` measures what it costs. */

/** Tells at the end which files were loaded, and how large they are. */
const counter = `
import { registerHooks } from "node:module";
const files = [];
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (url.startsWith("file:")) files.push([url, Buffer.byteLength(loaded.source ?? "")]);
    return loaded;
  },
});
process.once("exit", () => process.stderr.write(JSON.stringify(files)));
`;
const preload = `data:text/javascript,${encodeURIComponent(counter)}`;

function loadedBy(...args: string[]): { file: string; bytes: number }[] {
  const { stderr, status } = spawnSync(
    process.execPath,
    ["--import", preload, "cli/slipway.js", ...args],
    { encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
  const home = new URL("../..", import.meta.url).href;
  return JSON.parse(stderr).map(([url, bytes]: [string, number]) => ({
    file: url.replace(home, "").replace(/^.*node_modules\//, "node_modules/"),
    bytes,
  }));
}

const known =
  /^(package\.json|core\/(error|bounds)\.ts|node_modules\/commander\/.*|cli\/(?!generated).*|cli\/generated\/operations\.json)$/;

it.each([["--version"], ["--help"], ["cluster list --help"]])(
  "slipway %s reads few files, and none that its commands read",
  (line) => {
    const loaded = loadedBy(...line.split(" "));
    expect(loaded.map(({ file }) => file).filter((file) => !known.test(file))).toEqual([]);
    expect(loaded.length).toBeGreaterThan(10);
    expect(loaded.length).toBeLessThan(32);
    expect(loaded.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(330_000);
  },
);

it("a command reads what it needs beside that, and no more", () => {
  const before = loadedBy("--help").length;
  const loaded = loadedBy("completion", "bash");
  expect(loaded.length).toBeGreaterThan(before);
  expect(loaded.length).toBeLessThan(before + 20);
});

/** Tells at the end whether Node has loaded what makes JavaScript of TypeScript. */
const compiler = `
process.once("exit", () => process.stderr.write(String(process.moduleLoadList.some((name) => name.includes("amaro")))));
`;

it("the second start compiles nothing", () => {
  const { NODE_COMPILE_CACHE: _, ...others } = process.env;
  const env = { ...others, TMPDIR: temporaryFolder() };
  const start = () =>
    spawnSync(
      process.execPath,
      [
        "--import",
        `data:text/javascript,${encodeURIComponent(compiler)}`,
        "cli/slipway.js",
        "--help",
      ],
      { env, encoding: "utf8" },
    ).stderr;
  expect([start(), start()]).toEqual(["true", "false"]);
});
