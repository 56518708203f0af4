import { execFile } from "node:child_process";
import { expect, it } from "vitest";
import { missingPlatform, root } from "../support/synth.ts";

if (missingPlatform) console.warn(`skipped: ${missingPlatform}`);

it.skipIf(missingPlatform)("the stack uses SST and Pulumi as their types allow", async () => {
  const args = ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "infra/stack"];
  const ran = await new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, said: stdout + stderr }),
    );
  });
  expect(ran).toEqual({ code: 0, said: "" });
});
