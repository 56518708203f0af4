import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { dataFolder, npmRun, until } from "../support/dev-process.ts";

/** A demo whose folders are all in one of the test's own. */
function demo(env: Record<string, string> = {}) {
  const folder = dataFolder();
  return { folder, ...npmRun("demo", { TMPDIR: folder, SLIPWAY_SIM_SPEED: "300", ...env }) };
}

/** No process of its group, and none of Slipway's own, is there any more. */
function isGone(group: number | undefined): boolean {
  try {
    process.kill(-(group ?? 0), 0);
    return false;
  } catch {
    return true;
  }
}

const demoFolders = (folder: string) =>
  readdirSync(folder).filter((name) => name.startsWith("slipway-demo-"));

/** Of the Slipway that the demo has started. */
const pidOf = (folder: string): number =>
  Number(readFileSync(join(folder, demoFolders(folder)[0] ?? "", "pid"), "utf8"));

it("shows the main job, each step of it, and leaves nothing", async () => {
  const { exit, folder } = demo();
  const { code, output } = await exit;
  const lines = output.trim().split("\n");
  const told = (text: string) => lines.findIndex((line) => line.includes(text));
  const order = [
    "Slipway at http://127.0.0.1:",
    "24 servers are off",
    "✔  EraseDrives",
    "✔  BootDiscoveryImage",
    "✔  AdmitAgent",
    "24 hosts are free",
    "POST /clusters",
    "✔  ReserveCapacity",
    "✔  DeployControlPlane",
    "✔  JoinNodes",
    "✔  PublishCluster",
    "READY",
    "API      https://",
    "console  https://",
    "/kubeconfig",
    "nodes at https://127.0.0.1:",
    "PATCH /clusters",
    "✔  ResizeNodePools",
    "✔  UpgradeControlPlane",
    "✔  UpgradeNodeSets",
    "version  4.18.1",
    "DELETE /clusters",
    "✔  Undo DeployControlPlane",
    "3 servers were used",
    "✔  LeaveNetworks",
    "They are discovered again",
    "nothing left",
  ].map(told);
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(lines.filter((line) => / {2}Ready$/.test(line))).toHaveLength(2 + 3);
  for (const step of ["EraseDrives", "AdmitAgent"])
    expect(lines.filter((line) => line.includes(`✔  ${step}`)).length).toBeGreaterThan(1);
  expect(lines.filter((line) => line.includes("24 hosts are free"))).toHaveLength(2);
  expect(lines.at(-1)).toContain("nothing left");
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  expect(code).toBe(0);
  expect(demoFolders(folder)).toEqual([]);
});

it("leaves no process and no folder on Ctrl-C", async () => {
  const { child: npm, exit, output, folder } = demo();
  await until(() => output().includes("servers are off"), "the first work");
  const slipway = pidOf(folder);
  // As the terminal does: to the whole group; and again, as npm passes it on.
  process.kill(-(npm.pid ?? 0), "SIGINT");
  await pause(50);
  process.kill(-(npm.pid ?? 0), "SIGINT");
  const { output: all } = await exit;
  expect(all).toContain("stopped");
  expect(all).not.toContain("nothing left");
  await until(() => isGone(npm.pid) && isGone(slipway), "the end of all processes");
  expect(demoFolders(folder)).toEqual([]);
});

it("says so and exits with an error when something fails", async () => {
  const { exit, output, folder } = demo();
  await until(() => output().includes("servers are off"), "the first work");
  process.kill(pidOf(folder), "SIGKILL");
  const { code, output: all } = await exit;
  expect(code).toBe(1);
  expect(all).toContain("the demo failed: Slipway ended by itself (SIGKILL)");
  expect(demoFolders(folder)).toEqual([]);
});

it("passes on what is wrong with a setting", async () => {
  const { code, output } = await demo({ SLIPWAY_SIM_SPEED: "fast" }).exit;
  expect(code).toBe(1);
  expect(output).toContain("SLIPWAY_SIM_SPEED must be a whole number from 1 to 100000, not 'fast'");
});
