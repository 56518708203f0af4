import { run } from "./command.ts";

/** `npm run templates`. */

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  fetch,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
