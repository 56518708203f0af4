import { countOps } from "./ops/changes.ts";
import { differences, golden, textOf, writeGolden, writing } from "./ops/golden.ts";

/**
 * `npm run bench -- ops [--write | --check]`: the cost of each kind of change and request, as JSON. `--write` stores it
 * in `bench/ops/golden.json`, and `--check` prints the differences from that file.
 */
export async function bench(): Promise<void> {
  const ops = await countOps("all");
  if (process.argv.includes("--write")) return writeGolden(ops);
  if (!process.argv.includes("--check")) return void process.stdout.write(textOf(ops));
  const differing = differences(golden(), ops);
  for (const difference of differing) console.error(difference);
  if (differing.length === 0) return;
  console.error(`if it is meant to be so: ${writing}`);
  process.exitCode = 1;
}
