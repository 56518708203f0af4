import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundleCli } from "../../infra/bundle-cli.ts";

it("the command line is one file that runs anywhere", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-cli-"));
  try {
    const file = join(folder, "slipway.mjs");
    const start = await bundleCli(file);
    expect(statSync(file).size).toBeLessThan(1_200_000);
    // The rest is unpacked by the commands that need it.
    expect(start.parts).toBeGreaterThan(1);
    expect(start.bytes).toBeLessThan(190_000);
    const run = (...args: string[]) => {
      const env = { PATH: process.env.PATH, HOME: folder };
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
        cwd: folder,
        encoding: "utf8",
        env,
      });
      return { status, stdout, stderr };
    };
    expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("cluster") });
    expect(run("explain", "cluster.spec.node_sets")).toMatchObject({ status: 0 });
    expect(run("hub", "rights")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("ClusterRole"),
    });
    expect(run("cluster", "list")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("no Slipway is named"),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
