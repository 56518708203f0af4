import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../infra/bundle.ts";
import { bundleCli, bundledCli } from "../../infra/bundle-cli.ts";
import manifest from "../../package.json" with { type: "json" };

it("is what the package installs as its command", () => {
  expect(join(root, manifest.bin.slipway)).toBe(bundledCli);
});

/** What a list says of a Slipway that has one project, and how it is asked. */
async function listed(file: string) {
  const asked: string[] = [];
  const server = createServer(({ headers, url }, response) => {
    asked.push(`${headers.authorization} ${url}`);
    response.setHeader("Content-Type", "application/json");
    const project = {
      id: "p",
      metadata: { name: "one" },
      status: { state: "PROJECT_STATE_ACTIVE" },
    };
    response.end(JSON.stringify({ size: 1, total: 1, items: [project] }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port of this machine has an address.
  const { port } = server.address() as AddressInfo;
  const args = [file, "project", "list", "--url", `http://127.0.0.1:${port}`, "--token-file", "-"];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end("a-token\n");
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  const [code] = await once(child, "close");
  server.close();
  return { asked, code, out };
}

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
    expect(await listed(file)).toEqual({
      asked: ["Bearer a-token /api/fulfillment/v1/projects?limit=500"],
      code: 0,
      out: "NAME  STATE\none   ACTIVE\n",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
