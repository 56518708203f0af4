import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleCli } from "../infra/bundle-cli.ts";
import { median } from "./median.ts";

/** Prints the process's CPU milliseconds at its end. */
const teller = `process.once("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write(String((user + system) / 1000));
})`;
const preload = `data:text/javascript,${encodeURIComponent(teller)}`;

const rounds = 20;
/** The most CPU milliseconds of a start, beyond Node's own. */
const allowed = 120;

/**
 * `npm run bench -- cli`: the CPU of a start of the CLI before it does anything, from the repository and as one file,
 * compared with Node alone, and until the options of a command are parsed. `import` is the part beyond Node; the bench
 * fails when it is too much.
 */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-start-"));
  try {
    const file = join(folder, "slipway.mjs");
    const start = await bundleCli(file);
    // The program's own compile cache, in a temporary folder.
    const { NODE_COMPILE_CACHE: _, ...others } = process.env;
    const env = { ...others, TMPDIR: folder };
    const programs = {
      node: ["-e", "0"],
      repository: ["cli/slipway.js", "--version"],
      "one file": [file, "--version"],
      "a command": ["cli/slipway.js", "cluster", "list", "--help"],
    };
    const cpu = (args: readonly string[]): number =>
      Number(spawnSync(process.execPath, ["--import", preload, ...args], { env }).stderr);
    const costs = new Map(Object.keys(programs).map((name) => [name, [] as number[]]));
    // The first round fills the cache. Alternating, so that other load on the machine affects all of them.
    for (let round = 0; round <= rounds; round++)
      for (const [name, args] of Object.entries(programs)) {
        const taken = cpu(args);
        if (round > 0) costs.get(name)?.push(taken);
      }
    const alone = median(costs.get("node") ?? []);
    const rows = [...costs].map(([name, all]) => ({
      start: name,
      cpu_ms: Math.round(median(all)),
      least: Math.round(Math.min(...all)),
      most: Math.round(Math.max(...all)),
      import_ms: Math.round(median(all) - alone),
    }));
    console.table(rows);
    const over = rows.filter(({ import_ms }) => import_ms > allowed);
    for (const { start: name, import_ms } of over)
      console.error(`${name}: ${import_ms} ms of CPU beyond Node, and ${allowed} are allowed`);
    if (over.length > 0) process.exitCode = 1;
    console.log(JSON.stringify({ rounds, allowed, rows, one_file_start: start }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
