import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { runInGroup } from "./process-group.ts";
import { type Outcome, outcomeOf } from "./turn.ts";

/**
 * Runs the tests on real programs, one program after another, and prints a table: what ran, how many cases it judged and
 * how long it took. A program that cannot be had, or that is not up within the limit of its turn, is skipped with a word.
 */

interface Program {
  name: string;
  /** What starts it, in this folder: the first, in whose environment the next starts another program. */
  scripts: readonly [string, ...string[]];
  env?: Record<string, string>;
  tests: string;
  /** Minutes, with what it installs the first time. */
  limit: number;
}

const programs: Program[] = [
  { name: "aws", scripts: ["aws.sh"], tests: "test/live/aws", limit: 8 },
  { name: "bare-metal", scripts: ["bare-metal.sh"], tests: "test/live/bare-metal", limit: 12 },
  { name: "ovn", scripts: ["ovn.sh"], tests: "test/live/ovn", limit: 8 },
  { name: "dns", scripts: ["powerdns.sh"], tests: "test/live/dns", limit: 5 },
  {
    name: "dns",
    scripts: ["powerdns.sh"],
    env: { POWERDNS_SUITE: osRelease().get("VERSION_CODENAME") ?? "stable" },
    tests: "test/live/dns",
    limit: 5,
  },
  { name: "dhcp", scripts: ["kea.sh"], tests: "test/live/kea", limit: 5 },
  { name: "ceph", scripts: ["ceph.sh"], tests: "test/live/ceph", limit: 10 },
  { name: "neutron", scripts: ["neutron.sh"], tests: "test/live/neutron", limit: 20 },
  {
    name: "site",
    scripts: ["kea.sh", "powerdns.sh", "ceph.sh", "neutron.sh"],
    tests: "test/live/site",
    limit: 25,
  },
];

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());

async function turnOf(program: Program): Promise<Outcome & { seconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-live-"));
  const [report, results] = [join(folder, "report"), join(folder, "results.json")];
  const began = performance.now();
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
    const [script, ...inner] = program.scripts.map((each) => join(import.meta.dirname, each));
    const nested = inner.flatMap((each) => ["--optional", each]);
    const command = [...nested, "--optional", "vitest", "run", program.tests, ...reporters];
    const code = await runInGroup(script ?? "", command, {
      env: { ...process.env, ...program.env, LIVE_REPORT: report },
      until: AbortSignal.any([stopping.signal, AbortSignal.timeout(program.limit * 60_000)]),
    });
    const { numPassedTests: passed, numTotalTests: all } = resultsSchema.parse(
      existsSync(results) ? JSON.parse(readFileSync(results, "utf8")) : {},
    );
    const seconds = Math.round((performance.now() - began) / 1000);
    return { ...outcomeOf(program, { said: linesOf(report), code, passed, all }), seconds };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const resultsSchema = z.object({
  numPassedTests: z.number().default(0),
  numTotalTests: z.number().default(0),
});

/** What the scripts have reported, by field. */
function linesOf(file: string): Map<string, string[]> {
  const said = new Map<string, string[]>();
  for (const line of existsSync(file) ? readFileSync(file, "utf8").split("\n") : []) {
    const [field, words] = line.split("\t");
    if (field && words !== undefined) said.set(field, [...(said.get(field) ?? []), words]);
  }
  return said;
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
const outcomes: Awaited<ReturnType<typeof turnOf>>[] = [];
for (const program of programs) {
  if (wanted.length > 0 && !wanted.includes(program.name)) continue;
  outcomes.push(await turnOf(program));
  if (stopping.signal.aborted) process.exit(130);
}
for (const { program, cases, seconds } of outcomes)
  console.log(`live  ${program.padEnd(60)} ${cases.padStart(24)} ${String(seconds).padStart(6)} s`);
if (outcomes.some(({ hasFailed }) => hasFailed)) process.exitCode = 1;
