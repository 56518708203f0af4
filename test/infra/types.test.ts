import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { missingPlatform, root } from "../support/synth.ts";

if (missingPlatform) console.warn(`skipped: ${missingPlatform}`);

it.skipIf(missingPlatform)(
  "the stack uses SST and Pulumi as their types allow",
  async () => {
    const args = ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "infra/stack"];
    const ran = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    );
    expect(ran.stdout).toBe("");
  },
  120_000,
);
