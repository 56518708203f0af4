import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** All threads of the process: parsing, collecting garbage and running. Node's own start is not in it. */
const program = `
const before = process.cpuUsage();
await import(process.argv[1]);
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1000), () => process.exit());
`;

/** CPU milliseconds of importing a file in a process of its own, which has only this environment. */
export async function importCost(
  file: string,
  environment: Record<string, string>,
): Promise<number> {
  const args = ["--input-type=module", "--eval", program, file];
  const { stdout } = await run(process.execPath, args, { env: environment });
  return Number(stdout);
}
