import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";

/**
 * Runs the tests on real programs, one program after another, and prints a table: what ran, how many cases it judged and
 * how long it took. A program that cannot be had, or whose turn takes longer than its limit, is skipped with a word.
 */

interface Program {
  name: string;
  /** What starts it, in this folder. */
  script: string;
  env?: Record<string, string>;
  tests: string;
  /** Minutes, with what it installs the first time. */
  limit: number;
}

const programs: Program[] = [
  { name: "aws", script: "aws.sh", tests: "test/live/aws", limit: 8 },
  { name: "bare-metal", script: "bare-metal.sh", tests: "test/live/bare-metal", limit: 12 },
  { name: "ovn", script: "ovn.sh", tests: "test/live/ovn", limit: 8 },
  { name: "dns", script: "powerdns.sh", tests: "test/live/dns", limit: 5 },
  {
    name: "dns",
    script: "powerdns.sh",
    env: { POWERDNS_SUITE: osRelease().get("VERSION_CODENAME") ?? "stable" },
    tests: "test/live/dns",
    limit: 5,
  },
  { name: "ceph", script: "ceph.sh", tests: "test/live/ceph", limit: 10 },
  { name: "neutron", script: "neutron.sh", tests: "test/live/neutron", limit: 20 },
];

interface Outcome {
  program: string;
  cases: string;
  seconds: number;
  hasFailed: boolean;
}

async function turnOf({ name, script, env, tests, limit }: Program): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-live-"));
  const [report, results] = [join(folder, "report"), join(folder, "results.json")];
  const began = performance.now();
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
    const command = ["--optional", "vitest", "run", tests, ...reporters];
    const code = await run(join(import.meta.dirname, script), command, {
      env: { ...process.env, ...env, LIVE_REPORT: report },
      limit: limit * 60_000,
    });
    const said = linesOf(report);
    const skipped =
      code === undefined ? `${name}: it took longer than ${limit} min` : said.get("skipped");
    const seconds = Math.round((performance.now() - began) / 1000);
    if (skipped !== undefined)
      return { program: skipped, cases: "skipped", seconds, hasFailed: false };
    const { numPassedTests: passed, numTotalTests: all } = resultsSchema.parse(
      existsSync(results) ? JSON.parse(readFileSync(results, "utf8")) : {},
    );
    const program = said.get("program") ?? name;
    return { program, cases: `${passed} of ${all} cases`, seconds, hasFailed: code !== 0 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const resultsSchema = z.object({
  numPassedTests: z.number().default(0),
  numTotalTests: z.number().default(0),
});

/** Answers the exit code; undefined where it took too long, in which case it ends with all that it has started. */
function run(
  file: string,
  command: string[],
  { env, limit }: { env: NodeJS.ProcessEnv; limit: number },
): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const child = spawn(file, command, { env, stdio: "inherit", detached: true });
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limit);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  child.once("exit", (code) => {
    clearTimeout(timer);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
    resolve(isLate ? undefined : (code ?? 1));
  });
  return promise;
}

/** What the script has reported, by field. */
function linesOf(file: string): Map<string, string> {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return new Map(
    text.split("\n").flatMap((line): [string, string][] => {
      const [field, words] = line.split("\t");
      return field && words !== undefined ? [[field, words]] : [];
    }),
  );
}

function osRelease(): Map<string, string> {
  const file = "/etc/os-release";
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return new Map(
    text.split("\n").map((line): [string, string] => {
      const [name = "", value = ""] = line.split("=");
      return [name, value.replaceAll('"', "")];
    }),
  );
}

const { positionals: wanted } = parseArgs({ allowPositionals: true });
const unknown = wanted.filter((name) => !programs.some((program) => program.name === name));
if (unknown.length > 0) {
  const names = [...new Set(programs.map(({ name }) => name))].join(", ");
  console.error(`unknown program '${unknown.join("', '")}'; use ${names}`);
  process.exit(2);
}
const outcomes: Outcome[] = [];
for (const program of programs)
  if (wanted.length === 0 || wanted.includes(program.name)) outcomes.push(await turnOf(program));
for (const { program, cases, seconds } of outcomes)
  console.log(`live  ${program.padEnd(60)} ${cases.padStart(24)} ${String(seconds).padStart(6)} s`);
if (outcomes.some(({ hasFailed }) => hasFailed)) process.exitCode = 1;
