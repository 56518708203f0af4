import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Measures all threads of the process: parsing, garbage collection and execution, without Node's own start. */
const program = `
const [file, event] = process.argv.slice(1);
const before = process.cpuUsage();
const { handler } = await import(file);
if (event) {
  const { statusCode } = await handler(JSON.parse(event), {});
  if (statusCode !== 200) throw new Error("it answered " + statusCode);
}
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1000), () => process.exit());
`;

/**
 * CPU milliseconds of importing a file in a process with only this environment, and of answering an event of API
 * Gateway if one is given.
 */
export async function importCost(
  file: string,
  environment: Record<string, string>,
  event?: object,
): Promise<number> {
  const args = ["--input-type=module", "--eval", program, file];
  const asked = event ? [JSON.stringify(event)] : [];
  const { stdout } = await run(process.execPath, [...args, ...asked], { env: environment });
  return Number(stdout);
}
