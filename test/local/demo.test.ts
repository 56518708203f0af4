import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { dataFolder, npmRun, until } from "../support/dev-process.ts";

/** A demo whose folders are all in one of the test's own. */
function demo({ env = {}, args = [] }: { env?: Record<string, string>; args?: string[] } = {}) {
  const folder = dataFolder();
  const settings = { TMPDIR: folder, SLIPWAY_SIM_SPEED: "300", ...env };
  return { folder, ...npmRun("demo", settings, { args }) };
}

/** The lines of an output have these texts, in this order. */
function expectInOrder(lines: readonly string[], texts: readonly string[]): void {
  let last = -1;
  for (const text of texts) {
    const found = lines.findIndex((line, n) => n > last && line.includes(text));
    expect(found, `'${text}' after line ${last + 1}`).toBeGreaterThan(last);
    last = found;
  }
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
  expectInOrder(lines, [
    "Slipway at http://127.0.0.1:",
    "24 servers are off",
    "✔ EraseDrives",
    "✔ BootDiscoveryImage",
    "✔ AdmitAgent",
    "24 hosts are free",
    "POST /clusters",
    "✔ ReserveCapacity",
    "✔ DeployControlPlane",
    "✔ JoinNodes",
    "✔ PublishCluster",
    "READY",
    "API      https://",
    "console  https://",
    "/kubeconfig",
    "nodes at https://127.0.0.1:",
    "PATCH /clusters",
    "✔ ResizeNodePools",
    "✔ UpgradeControlPlane",
    "✔ UpgradeNodeSets",
    "version  4.18.1",
    "DELETE /clusters",
    "✔ Undo DeployControlPlane",
    "3 servers were used",
    "✔ LeaveNetworks",
    "They are discovered again",
    "nothing left",
  ]);
  expect(lines.filter((line) => / {2}Ready$/.test(line))).toHaveLength(2 + 3);
  for (const step of ["EraseDrives", "AdmitAgent"])
    expect(lines.filter((line) => line.includes(`✔ ${step}`)).length).toBeGreaterThan(1);
  expect(lines.filter((line) => line.includes("24 hosts are free"))).toHaveLength(2);
  expect(lines.at(-1)).toContain("nothing left");
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  expect(code).toBe(0);
  expect(demoFolders(folder)).toEqual([]);
});

it("shows the networks of two tenants, who reaches whom, and what is refused, and leaves nothing", async () => {
  const { exit, folder } = demo({ args: ["networks"] });
  const { code, output } = await exit;
  const lines = output.trim().split("\n");
  expectInOrder(lines, [
    "tenant-a: POST /virtual_networks  {name: shop, ipv4_cidr: 10.20.0.0/16}",
    "✔ ConnectSubnet",
    "tenant-b: POST /virtual_networks  {name: shop, ipv4_cidr: 10.20.0.0/16}",
    "✔ OpenWayOut",
    "tenant-a: POST /clusters  {name: shop",
    "✔ PublishCluster",
    "tenant-b: POST /clusters  {name: blog",
    "✔ LeadExternalIp",
    "What reaches what",
    "the Internet, TCP 443: arrives from 203.0.113.",
    "the Internet → shop's ingress 203.0.113.81, TCP 443: arrives",
    "the Internet → shop's ingress 203.0.113.81, TCP 22: stopped",
    "tenant-a: DELETE /virtual_networks/{shop's id}",
    "in use by subnet 'web'",
    "tenant-a: PATCH /security_groups",
    "desired version 2, applied 1",
    "desired version 2, applied 2",
    "What reaches what",
    "the Internet → shop's ingress 203.0.113.81, TCP 443: stopped: no rule lets the packet in",
    "tenant-a: DELETE /external_ip_attachments",
    "✔ Undo DeployControlPlane",
    "tenant-b: DELETE /virtual_networks",
    "tenant-a: DELETE /virtual_networks",
    "✔ Undo CreateRouter",
  ]);
  for (const [from, to] of ["ab", "ba"])
    expect(output).toMatch(
      new RegExp(`tenant-${from}'s \\S+ → tenant-${to}'s \\S+, TCP 22: stopped`),
    );
  expect(output).toMatch(/tenant-a's \S+ → tenant-a's \S+, TCP 22: arrives/);
  expect(output).toMatch(/^nothing left: [\s\S]*\(\d+ s\)\n$/m);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  expect(code).toBe(0);
  expect(demoFolders(folder)).toEqual([]);
});

it("shows servers of two tenants' own, from off to nothing left", async () => {
  const { exit, folder } = demo({ args: ["bare-metal"] });
  const { code, output } = await exit;
  const lines = output.trim().split("\n");
  expectInOrder(lines, [
    "12 servers in two racks are off, with two DPUs each",
    "✔ AnnounceLeaf",
    "They are discovered through their DPUs",
    "✔ MapPorts",
    "12 hosts are free",
    "tenant-a: POST /baremetal_instances  {name: front",
    "✔ ReserveHost",
    "✔ AttachHost",
    "tenant-b: POST /baremetal_instances  {name: blog",
    "tenant-a: DELETE /subnets",
    "in use by baremetal instance",
    "DELETE /baremetal_instances/{front's id}",
    "✔ Undo AttachHost",
    "3 servers were used",
    "✔ EraseDrives",
    "They are discovered again",
    "12 hosts are free",
    "nothing left",
  ]);
  expect(output).toMatch(/tenant-a's front → tenant-a's back, TCP 22: arrives/);
  expect(output).toMatch(/tenant-a's front → tenant-b's blog, TCP 22: stopped/);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  expect(code).toBe(0);
  expect(demoFolders(folder)).toEqual([]);
});

it("says what there is to see when it is asked for something else, and starts nothing", async () => {
  const { exit, folder } = demo({ args: ["x"] });
  const { code, output } = await exit;
  expect(output).toContain("there is no walk 'x'");
  expect(output).toMatch(/^usage: npm run demo .*cluster[\s\S]*npm run demo -- networks/m);
  expect(output).not.toContain("Slipway at");
  expect(code).toBe(2);
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
  const { code, output } = await demo({ env: { SLIPWAY_SIM_SPEED: "fast" } }).exit;
  expect(code).toBe(1);
  expect(output).toContain("SLIPWAY_SIM_SPEED must be a whole number from 1 to 100000, not 'fast'");
});
