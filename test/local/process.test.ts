import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Listeners } from "../../local/listeners.ts";
import { dataFolder, isAlive, npmRun, startDev, until } from "../support/dev-process.ts";
import type { Wire } from "../support/site.ts";

/** The process of `npm run dev`: its settings, its port, its lock, its end. */

/** A port of loopback that somebody else listens on. */
async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it has no port");
  return address.port;
}

it("ends cleanly on SIGTERM, with an order under way, and goes on with it after", async () => {
  const first = await startDev({ byNpm: true });
  const { operation } = await first.order("interrupted");
  expect(await first.terminate()).toMatchObject({ code: 0 });
  expect(isAlive(first.pid)).toBe(false);
  expect(existsSync(join(first.data, "pid"))).toBe(false);

  const second = await startDev({ data: first.data });
  expect(second.dev).toEqual(first.dev);
  await second.succeeded(operation);
});

it("listens where PORT says, and where it did before when PORT is 0", async () => {
  const first = await startDev();
  await first.terminate();
  const { port } = new URL(first.dev.issuer);
  // Free now, and nobody's before.
  const second = await startDev({ env: { PORT: port } });
  expect(second.dev.api).toBe(`http://127.0.0.1:${port}`);
  await second.terminate();
  const third = await startDev({ data: second.data });
  expect(third.dev.api).toBe(second.dev.api);
});

it("serves machines beside the API, where the site's record says", async () => {
  const { dev, admin } = await startDev();
  const { spec } = (await admin("GET", "sites/site-1")).body;
  expect(spec.machines.url).toBe(dev.api);
  const health = await fetch(`${spec.machines.url}/site/v1/health`);
  expect(await health.json()).toEqual({ version: "1" });
});

it("refuses a folder that another process works on, which goes on undisturbed", async () => {
  const first = await startDev();
  const { code, output } = await npmRun("dev", { SLIPWAY_DATA: first.data, PORT: "0" }).exit;
  expect(code).not.toBe(0);
  expect(output).toContain(`another Slipway works on this folder, process ${first.pid}`);
  expect((await first.api("GET", "clusters")).status).toBe(200);
});

it("ends when the process that started it was killed, and leaves no lock", async () => {
  const first = await startDev({ byNpm: true });
  first.child.kill("SIGKILL");
  await until(() => !isAlive(first.pid), "the end of the process");
  const second = await startDev({ data: first.data });
  expect(readFileSync(join(second.data, "pid"), "utf8").trim()).toBe(String(second.pid));
});

it.each([
  ["PORT", "http", "PORT must be a whole number from 0 to 65535, not 'http'"],
  ["SLIPWAY_SIM_SPEED", "0", "SLIPWAY_SIM_SPEED must be a whole number from 1 to 100000, not '0'"],
  ["API_PROFILE", "asac", "API_PROFILE must be slipway or osac, not 'asac'"],
])("says what is wrong with %s=%s", async (name, value, message) => {
  const { code, output } = await npmRun("dev", { SLIPWAY_DATA: dataFolder(), [name]: value }).exit;
  expect(code).not.toBe(0);
  expect(output.trim().split("\n")).toEqual([expect.stringContaining(message)]);
});

it("says that the port is taken, and what to do", async () => {
  const port = String(await takenPort());
  const { code, output } = await npmRun("dev", { SLIPWAY_DATA: dataFolder(), PORT: port }).exit;
  expect(code).not.toBe(0);
  expect(output).toContain(`port ${port} is in use: set PORT to another, or to 0 for any`);
});

it("says that the port is not for everybody, and what to do", async () => {
  const refused = Object.assign(new Error("listen EACCES"), { code: "EACCES" });
  const listeners = new Listeners(
    { setting: () => undefined, setSetting: () => {} },
    { serveOn: () => Promise.reject(refused) },
  );
  const listening = listeners.listen("api", () => new Response(), 80);
  await expect(listening).rejects.toThrow(
    "port 80 is not open to this user: set PORT to one above 1023, or to 0 for any",
  );
});

it("makes files that only their owner can read, in a folder that is open to others", async () => {
  const data = mkdtempSync(join(tmpdir(), "slipway-open-"));
  chmodSync(data, 0o755);
  const { order } = await startDev({ data });
  await order("private");
  const files = readdirSync(data, { recursive: true, withFileTypes: true });
  const open = files.filter(
    (file) => file.isFile() && (statSync(join(file.parentPath, file.name)).mode & 0o077) !== 0,
  );
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["world.db", "world.db-wal", "slipway.db", "slipway.log"]),
  );
  expect(open.map(({ name }) => name)).toEqual([]);
});

it("answers in OSAC's profile by default where API_PROFILE says so", async () => {
  const { api, order, succeeded } = await startDev({ env: { API_PROFILE: "osac" } });
  const { id, operation } = await order("standard");
  await succeeded(operation);
  const { body: cluster } = await api("GET", `clusters/${id}`);
  expect(cluster.status.state).toBe("CLUSTER_STATE_READY");
  const types: string[] = cluster.status.conditions.map(({ type }: Wire) => type);
  expect(types).toContain("CLUSTER_CONDITION_TYPE_READY");
  expect(types).not.toContain("CLUSTER_CONDITION_TYPE_NODES_READY");
});

it("runs at speed 1000", async () => {
  const { order, ended, terminate } = await startDev({ speed: 1000 });
  const { operation } = await order("hasty");
  // However it ends: a deadline of fifteen minutes is a second here.
  await ended(operation);
  expect(await terminate()).toMatchObject({ code: 0 });
});

it("keeps time as asked: at speed 1 a simulated minute takes a minute", async () => {
  const { order, operation, terminate } = await startDev({ speed: 1 });
  const began = Date.now();
  const { operation: id } = await order("patient");
  let steps: Wire[] = [];
  await until(async () => {
    steps = (await operation(id)).status.steps;
    return steps.find(({ name }) => name === "CreateLayer3Network")?.state === "WAITING";
  }, "the gateway to be waited for");
  const { metadata } = await operation(id);
  const started = steps.find(({ name }) => name === "CreateLayer3Network").start_time;
  const simulated = Date.parse(started) - Date.parse(metadata.creation_timestamp);
  expect(simulated).toBeLessThanOrEqual(Date.now() - began);
  expect(await terminate()).toMatchObject({ code: 0 });
});
