import { execFileSync, spawnSync } from "node:child_process";

/** `npm run check:fast`: format and lint of the files that differ from `main`, or from a named commit, and the types. */

const git = (...args: string[]): string[] =>
  execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);

const [since = "main"] = process.argv.slice(2);
const [base = since] = git("merge-base", "HEAD", since);
const changed = [
  ...git("diff", "--name-only", "--diff-filter=d", base),
  ...git("ls-files", "--others", "--exclude-standard"),
];
const code = changed.filter((file) => /\.tsx?$/.test(file));

/** What a compiler has found out is kept, so that it looks only at what has changed since. */
const types = (project: string, cache: string) => [
  ...["tsc", "--noEmit", "-p", project, "--incremental"],
  ...["--tsBuildInfoFile", `node_modules/.cache/tsc/${cache}.json`],
];
const checks = [
  ["biome", "ci", "--no-errors-on-unmatched", "--files-ignore-unknown=true", ...changed],
  ["oxlint", "--type-aware", "--deny-warnings", ...code],
  types(".", "all"),
  types("console", "console"),
];
const needed = checks.filter(([name]) => (name === "biome" ? changed : code).length > 0);
const failed = needed.filter(([name = "", ...args]) => {
  const { status } = spawnSync(`node_modules/.bin/${name}`, args, { stdio: "inherit" });
  return status !== 0;
});
process.exitCode = failed.length > 0 ? 1 : 0;
