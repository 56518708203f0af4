import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";

const source = new URL("../../../../core/kernel/store/sqlite/sqlite.ts", import.meta.url).href;

/** Writes for ever, and prints the number of each write that was acknowledged. */
const writer = `
  import { writeSync } from "node:fs";
  const { openSqliteStore } = await import(${JSON.stringify(source)});
  const store = openSqliteStore(process.argv[1]);
  for (let n = 0; ; n += 1) {
    await store.transact([
      { put: { pk: "one", sk: String(n), g1pk: "g", g1sk: String(n).padStart(9, "0") } },
      { put: { pk: "two", sk: String(n), body: "x".repeat(2000) } },
    ]);
    store.setSetting("last", String(n));
    writeSync(1, n + "\\n");
  }
`;

describe("the SQLite store in a file", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-store-"));
    path = join(folder, "store.db");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("keeps items, stream and settings when it is opened again", async () => {
    const first = openSqliteStore(path);
    await first.transact([{ put: { pk: "p", sk: "a", g1pk: "g", g1sk: "1" } }]);
    first.setSetting("relay", "1");
    first.setSetting("relay", "2");
    first.close();
    const second = openSqliteStore(path);
    expect((await second.query({ pk: "g", index: "g1" })).items).toHaveLength(1);
    expect(second.stream(undefined, 10)).toHaveLength(1);
    expect(second.setting("relay")).toBe("2");
    expect(second.setting("unknown")).toBeUndefined();
    second.close();
  });

  it("has every acknowledged write, whole, after its process was killed", async () => {
    const flags = ["--input-type=module", "--experimental-strip-types", "--eval", writer];
    const child = spawn(process.execPath, [...flags, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    let acknowledged = -1;
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line);
      if (acknowledged === 300) child.kill("SIGKILL");
    }
    await ended;
    expect(acknowledged).toBeGreaterThanOrEqual(300);

    const store = openSqliteStore(path);
    const keys = Array.from({ length: acknowledged + 1 }, (_, n) => String(n));
    for (const pk of ["one", "two"]) {
      expect(await store.getMany(keys.map((sk) => ({ pk, sk })))).not.toContain(undefined);
    }
    expect(Number(store.setting("last"))).toBeGreaterThanOrEqual(acknowledged);
    // What was under way when it was killed is there with all its parts, or not at all.
    const records = store.stream(undefined, 1_000_000);
    const next = String(acknowledged + 1);
    const [one, two] = await store.getMany(["one", "two"].map((pk) => ({ pk, sk: next })));
    expect(two === undefined).toBe(one === undefined);
    expect(records).toHaveLength(2 * (acknowledged + (one ? 2 : 1)));
    store.close();
  });

  it("is Unavailable while another process writes, and reads on", async () => {
    const store = openSqliteStore(path);
    await store.transact([{ put: { pk: "p", sk: "a" } }]);
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const write = store.transact([{ put: { pk: "p", sk: "b" } }]);
    await expect(write).rejects.toMatchObject({ kind: "Unavailable" });
    expect(await store.get({ pk: "p", sk: "a" })).toEqual({ pk: "p", sk: "a" });
    other.exec("ROLLBACK");
    other.close();
    await store.transact([{ put: { pk: "p", sk: "b" } }]);
    store.close();
  });

  it("refuses a transaction of over 4 MB, as DynamoDB does", async () => {
    const store = openSqliteStore(path);
    const body = "x".repeat(390 * 1024);
    const puts = Array.from({ length: 11 }, (_, n) => ({ put: { pk: "p", sk: `${n}`, body } }));
    await store.transact(puts.slice(1));
    await expect(store.transact(puts)).rejects.toMatchObject({ kind: "Internal" });
    expect(await store.get({ pk: "p", sk: "0" })).toBeUndefined();
    store.close();
  });
});
