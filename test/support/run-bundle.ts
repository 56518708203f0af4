import { spawn } from "node:child_process";

/** What a bundle's handler answered in a process of its own, as Lambda would load it. */
export interface Ran {
  result?: unknown;
  /** What it wrote to stdout. */
  lines: string[];
  /** The name and message of what it threw, while it was loaded or called. */
  error?: { name: string; message: string };
}

const program = `
const [file, event] = process.argv.slice(1);
import(file)
  .then(({ handler }) => handler(JSON.parse(event), { awsRequestId: "r-1" }))
  .then((result) => ({ result }), ({ name, message }) => ({ error: { name, message } }))
  .then((ran) => process.stdout.write("\\n" + JSON.stringify(ran), () => process.exit()));
`;

/** Loads a bundle and calls its handler once. Only this environment is there. */
export async function runBundle(
  file: string,
  event: unknown,
  environment: Record<string, string>,
): Promise<Ran> {
  const args = ["--input-type=module", "--eval", program, file, JSON.stringify(event)];
  const child = spawn(process.execPath, args, { env: environment });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  await new Promise((resolve) => child.on("close", resolve));
  // Before its last line stands what it logged.
  const lines = out.split("\n");
  const last = lines.pop();
  if (!last) throw new Error(`the bundle ended without an answer: ${err}`);
  return { ...JSON.parse(last), lines: lines.filter((line) => line !== "") };
}
