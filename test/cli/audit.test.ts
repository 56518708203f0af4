import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { sharedDev } from "../support/dev-process.ts";
import { temporaryFolder } from "../support/home.ts";

/** `slipway audit verify` against a laptop's Slipway. */

const script = fileURLToPath(new URL("../../cli/slipway.js", import.meta.url));
const shared = sharedDev();

async function audit(...args: string[]) {
  const { dev } = shared();
  const child = spawn(process.execPath, [script, "audit", ...args], {
    env: { ...process.env, SLIPWAY_URL: dev.api, SLIPWAY_TOKEN: dev.tokens.admin },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

it("finds an audit whole, and not any more when an entry was changed where it lies", async () => {
  const { order, admin, data } = shared();
  await order("one");
  await order("two");
  const { body } = await admin("GET", "audit_entries?tenant=tenant-a");
  expect(body.items).toHaveLength(2);
  expect(body.items[0]).toMatchObject({ source: "127.0.0.1", verb: "create", kind: "cluster" });

  const whole = await audit("verify", "--tenant", "tenant-a");
  expect(whole).toMatchObject({ code: 0, stderr: "2 entries, 0 faults\n" });
  const heads = join(temporaryFolder(), "heads.json");
  writeFileSync(heads, whole.stdout);

  const { chain } = body.items[0];
  const database = new DatabaseSync(join(data, "slipway.db"), { timeout: 30_000 });
  const { changes } = database
    .prepare("UPDATE item SET value = replace(value, '127.0.0.1', '10.0.0.1') WHERE pk = ?")
    .run(`audit#tenant-a#${chain}`);
  database.close();
  expect(Number(changes)).toBeGreaterThan(0);
  const found = await audit("verify", "--tenant", "tenant-a", "--since", heads);
  expect(found.code).toBe(1);
  expect(found.stderr).toContain(`chain ${chain}, entry 1: changed\n`);
});

it("finds a chain that was removed with its end, by the lines of the log", async () => {
  const { order, data } = shared();
  const log = join(data, "slipway.log");
  await order("three");
  const database = new DatabaseSync(join(data, "slipway.db"), { timeout: 30_000 });
  for (const pk of ["audit#tenant-a#%", "audithead#tenant-a#%"])
    database.prepare("DELETE FROM item WHERE pk LIKE ?").run(pk);
  database.close();
  expect(await audit("verify", "--tenant", "tenant-a")).toMatchObject({ code: 0 });
  const found = await audit("verify", "--tenant", "tenant-a", "--since", log);
  expect(found.code).toBe(1);
  expect(found.stderr).toMatch(/chain \d+, entry 1: cut off\n/);
  const other = await audit("verify", "--tenant", "tenant-z", "--since", log);
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no line of the log about the audit of tenant-z"),
  });
});

it("says how it is called", async () => {
  expect(await audit("verify")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--tenant <name>"),
  });
});
