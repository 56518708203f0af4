import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { openDatabase } from "../../core/kernel/store/sqlite/tables.ts";
import { watchDisk } from "../../local/disk.ts";
import { type DevJson, dataFolder, until } from "../support/dev-process.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const megabyte = 1024 * 1024;

describe("a disk that is full", () => {
  it("is told of once when it becomes so, and once when there is room again", async () => {
    const told: string[] = [];
    const wall = new VirtualClock();
    let free = 100 * megabyte;
    const disk = watchDisk({
      folder: "data",
      wall,
      free: () => free,
      full: (message) => told.push(message),
      room: (message) => told.push(message),
    });
    await wall.advance(10_000);
    expect(disk.refusal()).toBeUndefined();
    free = megabyte;
    expect(disk.refusal()).toMatchObject({ kind: "Unavailable", message: /disk is full/ });
    await wall.advance(10_000);
    expect(told).toEqual([expect.stringMatching(/disk of data has less than 8 MB left.*refused/)]);
    free = 100 * megabyte;
    await wall.advance(10_000);
    expect(told.slice(1)).toEqual([expect.stringMatching(/has room again/)]);
    expect(disk.refusal()).toBeUndefined();
    disk.stop();
  });

  it("is an outage to the store, and what is stored can be read", async () => {
    const file = openDatabase(join(dataFolder(), "store.db"));
    const { page_count } = file.prepare("PRAGMA page_count").get() as { page_count: number };
    file.exec(`PRAGMA max_page_count = ${page_count + 8}`);
    const store = new SqliteStore(file, {});
    const put = (n: number) =>
      store.transact([{ put: { pk: "a", sk: String(n), text: "x".repeat(10_000) } }]);
    await put(0);
    const many = Array.from({ length: 20 }, (_, n) => n + 1);
    await expect(
      many.reduce<Promise<void>>((before, n) => before.then(() => put(n)), Promise.resolve()),
    ).rejects.toMatchObject({ kind: "Unavailable", message: /disk is full/ });
    expect(() => store.setSetting("long", "x".repeat(100_000))).toThrow(/disk is full/);
    expect(await store.get({ pk: "a", sk: "0" })).toMatchObject({ sk: "0" });
    store.close();
  });
});

/** Whether this machine lets us mount a small disk in a namespace of our own. */
const canMount =
  spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;
if (!canMount) console.log("a full disk under npm run dev: skipped, nothing can be mounted here");

describe.skipIf(!canMount)("npm run dev on a disk that becomes full", () => {
  it("refuses changes with 503, answers reads, says so once, and goes on when there is room", async () => {
    const data = dataFolder();
    const mounted = 'mount -t tmpfs -o size=32m tmpfs "$0" && exec "$1" local/dev.ts';
    const child = spawn("unshare", ["-rm", "sh", "-c", mounted, data, process.execPath], {
      env: { ...process.env, SLIPWAY_DATA: data, PORT: "0", SLIPWAY_SIM_SPEED: "300" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (errors += chunk));
    const exit = once(child, "exit");
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await exit;
    });
    await until(() => /^slipway ready/m.test(output), `slipway ready: ${errors}`);
    // The disk as the process sees it.
    const inside = (name: string) => join(`/proc/${child.pid}/root`, data, name);
    const dev: DevJson = JSON.parse(readFileSync(inside("dev.json"), "utf8"));
    const ask = (method: string, path: string, body?: object) =>
      fetch(`${dev.api}/api/fulfillment/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${dev.tokens["tenant-a"]}` },
        ...(body && { body: JSON.stringify(body) }),
      });
    const ordered = await ask("POST", "clusters", {
      metadata: { name: "c0" },
      spec: { template: { id: "ocp_4_17_small" } },
    });
    const { id } = (await ordered.json()) as { id: string };
    await until(
      async () => (await (await ask("GET", `clusters/${id}`)).text()).includes("placement"),
      "work",
    );

    fill(inside("ballast"));
    const refused = await ask("POST", "projects", { metadata: { name: "p" } });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    expect(await refused.json()).toMatchObject({ detail: expect.stringMatching(/disk is full/) });
    for (const path of ["clusters", `clusters/${id}`, "operations"])
      expect((await ask("GET", path)).status).toBe(200);
    expect((await fetch(`${dev.api}/docs`)).status).toBe(200);

    rmSync(inside("ballast"));
    await until(
      async () => (await ask("POST", "projects", { metadata: { name: "p" } })).ok,
      "room",
    );
    await until(
      async () =>
        (await (await ask("GET", `clusters/${id}`)).text()).includes("CLUSTER_STATE_READY"),
      "the order to be READY",
    );
    expect(child.exitCode).toBeNull();
    expect(errors.split("\n").filter((line) => line.includes("MB left"))).toHaveLength(1);
    expect(errors.split("\n").filter((line) => line.includes("room again"))).toHaveLength(1);
  });
});

/** Writes until nothing more fits. */
function fill(path: string): void {
  const file = openSync(path, "w");
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(file);
  }
}
