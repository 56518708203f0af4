#!/usr/bin/env node
import { thisProcess } from "./around.ts";
import { run } from "./run.ts";

/** `slipway`: docs/cli.md. */

// The reader of the output has closed it.
process.stdout.once("error", () => process.exit(0));
process.exitCode = await run(process.argv.slice(2), thisProcess);
