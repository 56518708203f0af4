#!/usr/bin/env node
import { enableCompileCache } from "node:module";

/**
 * `slipway`: docs/cli.md. JavaScript, since this file is read before there is a cache: for one file of TypeScript Node
 * loads a compiler with each start.
 */

// What is imported from here on is compiled once, and not with each command.
enableCompileCache();
const [{ run }, { thisProcess }] = await Promise.all([import("./run.ts"), import("./around.ts")]);

// The reader of the output has closed it.
process.stdout.once("error", () => process.exit(0));
process.exitCode = await run(process.argv.slice(2), thisProcess);
