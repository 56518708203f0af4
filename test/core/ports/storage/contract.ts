import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import type { TaggedOwner } from "../../../../core/ports/owner.ts";
import type { Storage } from "../../../../core/ports/storage/storage.ts";
import type { Faults } from "../../../../sim/faults.ts";
import type { LedgerItem } from "../../../../sim/ledger.ts";

/** A storage, real or simulated, that a test has for itself. */
export interface StorageFixture {
  storage: Storage;
  /** The same storage, asked with wrong credentials. */
  stranger: Storage;
  /** What a call gives, while time passes as far as it needs. */
  run<T>(call: Promise<T>): Promise<T>;
  /** As the order's cluster does. */
  addVolume(namespace: string, name: string): Promise<void>;
  removeVolume(namespace: string, name: string): Promise<void>;
  ledger(): LedgerItem[] | Promise<LedgerItem[]>;
}

/** A simulated one, which can be made to fail. */
export interface FaultyStorageFixture extends StorageFixture {
  faults: Faults;
  /** The method and path of what makes something. */
  create: string;
  /** Never to be seen in an error. */
  secrets: string[];
  /** What was logged in is so no more. */
  expireCredentials(): Promise<void>;
}

export const order: TaggedOwner = {
  kind: "cluster",
  id: "0197b2d0-1111-7000-8000-000000000001",
  tenant: "tenant-a",
};
const other: TaggedOwner = {
  ...order,
  id: "0197b2d0-1111-7000-8000-000000000002",
};

/** What a test asks of its storage, in short. */
function asking(at: () => StorageFixture) {
  return {
    ensure: (of = order) => at().run(at().storage.ensure(of)),
    observe: (of = order) => at().run(at().storage.observe(of)),
    access: (of = order) => at().run(at().storage.access(of)),
    remove: (of = order) => at().run(at().storage.remove(of)),
    owned: async (of = order) => (await at().ledger()).filter(({ owner }) => owner?.id === of.id),
    failure: async (call: Promise<unknown>): Promise<AppError> => {
      const thrown = await at().run(call.catch((error: unknown) => error));
      if (thrown instanceof AppError) return thrown;
      throw new Error(`no AppError: ${String(thrown)}`);
    },
  };
}

export function storageContract(open: () => StorageFixture): void {
  let at: StorageFixture;
  const { ensure, observe, access, remove, owned, failure } = asking(() => at);
  beforeEach(() => {
    at = open();
  });

  it("allocates an order's storage, and tells what its cluster needs", async () => {
    expect(await observe()).toEqual({ state: "missing", volumes: 0 });
    expect(await access()).toBeUndefined();
    await ensure();
    expect(await observe()).toEqual({ state: "done", volumes: 0 });
    const given = await access();
    expect(given?.key).toMatch(/^\S{20,}$/);
    expect(given?.monitors.length).toBeGreaterThan(0);
    expect((await owned()).length).toBeGreaterThan(0);
    expect((await owned())[0]?.owner).toEqual({
      tenant: "tenant-a",
      kind: "cluster",
      id: order.id,
    });
  });

  it("allocates it once when it is asked twice, with the same key", async () => {
    await ensure();
    const [first, things] = [await access(), (await owned()).length];
    await ensure();
    expect(await access()).toEqual(first);
    expect(await owned()).toHaveLength(things);
  });

  it("gives orders storage apart from each other", async () => {
    await ensure();
    await ensure(other);
    const [mine, theirs] = [await access(), await access(other)];
    expect(mine?.namespace).not.toBe(theirs?.namespace);
    expect(mine?.key).not.toBe(theirs?.key);
    await remove(other);
    expect(await access()).toEqual(mine);
  });

  it("gives owners of other kinds their own, whatever their ids", async () => {
    await ensure();
    const network = { ...order, kind: "virtual_network" };
    await ensure(network);
    expect((await access(network))?.namespace).not.toBe((await access())?.namespace);
    const found = await at.run(at.storage.observeAll());
    const kinds = new Set(found.map(({ owner }) => owner.kind));
    expect(kinds).toEqual(new Set(["cluster", "virtual_network"]));
    await remove(network);
    expect(await observe()).toMatchObject({ state: "done" });
    await remove();
    expect(await at.run(at.storage.observeAll())).toEqual([]);
  });

  it("tells whose things there are, and of none but orders'", async () => {
    expect(await at.run(at.storage.observeAll())).toEqual([]);
    await ensure();
    await ensure(other);
    const found = await at.run(at.storage.observeAll());
    expect(found).toHaveLength((await owned()).length + (await owned(other)).length);
    for (const of of [order, other]) {
      const mine = found.filter(({ owner }) => owner.id === of.id);
      expect(mine.every(({ owner }) => owner.tenant === of.tenant)).toBe(true);
      expect(mine.map(({ kind }) => kind).sort()).toEqual(
        (await owned(of)).map(({ kind }) => kind).sort(),
      );
    }
    const key = (await access())?.key ?? "no key";
    expect(JSON.stringify(found)).not.toContain(key);
    await remove();
    await remove(other);
    expect(await at.run(at.storage.observeAll())).toEqual([]);
  });

  it("gives it back, once and again", async () => {
    const before = await at.ledger();
    await ensure();
    expect(await remove()).toEqual([]);
    expect(await at.ledger()).toEqual(before);
    expect(await remove()).toEqual([]);
    expect(await observe()).toEqual({ state: "missing", volumes: 0 });
  });

  it("gives back what never was", async () => {
    const before = await at.ledger();
    expect(await remove()).toEqual([]);
    expect(await at.ledger()).toEqual(before);
  });

  it("keeps what has volumes in it, says so, and gives it back once they are gone", async () => {
    await ensure();
    const namespace = (await access())?.namespace ?? "";
    await at.addVolume(namespace, "pvc-1");
    await at.addVolume(namespace, "pvc-2");
    expect(await observe()).toEqual({ state: "done", volumes: 2 });
    const remaining = await remove();
    expect(remaining).toHaveLength(1);
    expect(remaining[0]).toContain(namespace);
    expect(remaining[0]).toContain("2 images");
    // Whoever removes the volumes needs the key.
    expect(await access()).toBeDefined();
    await at.removeVolume(namespace, "pvc-1");
    await at.removeVolume(namespace, "pvc-2");
    expect(await remove()).toEqual([]);
    expect(await owned()).toEqual([]);
  });

  it("removes an order's volumes and no other's, and there may be none", async () => {
    await at.run(at.storage.removeVolumes(order));
    for (const of of [order, other]) {
      await ensure(of);
      const namespace = (await access(of))?.namespace ?? "";
      for (const name of ["pvc-1", "pvc-2"]) await at.addVolume(namespace, name);
    }
    await at.run(at.storage.removeVolumes(order));
    expect(await observe()).toEqual({ state: "done", volumes: 0 });
    expect(await observe(other)).toEqual({ state: "done", volumes: 2 });
    expect(await remove()).toEqual([]);
  });

  it("waits while its credentials are not accepted", async () => {
    expect(await failure(at.stranger.ensure(order))).toMatchObject({
      kind: "Unavailable",
      message: "the storage does not accept our credentials",
    });
  });
}

/** What is so where a storage can be made to fail. */
export function storageFaultContract(open: () => FaultyStorageFixture): void {
  let at: FaultyStorageFixture;
  const { ensure, observe, access, remove, owned, failure } = asking(() => at);
  beforeEach(() => {
    at = open();
  });

  describe("on a bad day", () => {
    it.each([
      [{ fault: "error", status: 429 }, "Unavailable"],
      [{ fault: "error", status: 500 }, "Unavailable"],
      [{ fault: "error", status: 503 }, "Unavailable"],
      [{ fault: "error", status: 422 }, "Rejected"],
      [{ fault: "error", status: 403 }, "Unavailable"],
      [{ fault: "conflict" }, "Unavailable"],
      [{ fault: "crash_before" }, "Unavailable"],
      [{ fault: "crash_after" }, "Unavailable"],
      [{ fault: "timeout" }, "Unavailable"],
    ] as const)("says so when it meets %j: %s, and goes on later", async (fault, kind) => {
      at.faults.add({ target: "storage", operation: at.create, ...fault });
      expect(await failure(at.storage.ensure(order))).toMatchObject({ kind });
      await ensure();
      expect(await observe()).toMatchObject({ state: "done" });
      at.faults.add({ target: "storage", operation: "DELETE /", ...fault });
      expect(await failure(at.storage.remove(order))).toMatchObject({ kind });
      expect(await remove()).toEqual([]);
      expect(await owned()).toEqual([]);
    });

    it("takes an answer that is slow", async () => {
      at.faults.add({ target: "storage", fault: "slow", count: 2 });
      await ensure();
      expect(await observe()).toMatchObject({ state: "done" });
    });

    it("logs in again when its session has ended", async () => {
      await ensure();
      await at.expireCredentials();
      expect(await observe()).toMatchObject({ state: "done" });
      await at.expireCredentials();
      expect(await Promise.all([access(), observe(), remove(other)])).toMatchObject([
        { key: expect.any(String) },
        { state: "done" },
        [],
      ]);
    });

    it("waits while its session is not accepted", async () => {
      at.faults.add({ target: "storage", fault: "error", status: 401, count: 0 });
      expect(await failure(at.storage.ensure(order))).toMatchObject({ kind: "Unavailable" });
      at.faults.clear();
      await ensure();
    });

    it("shows no secret in an error", async () => {
      await ensure();
      const key = (await access())?.key ?? "";
      const errors = [await failure(at.stranger.ensure(order))];
      for (const [fault, status] of [
        ["error", 422],
        ["error", 500],
        ["crash_after", 500],
      ] as const) {
        for (const call of ["ensure", "access", "remove"] as const) {
          at.faults.add({ target: "storage", fault, status });
          errors.push(await failure(at.storage[call](order)));
        }
      }
      for (const error of errors) {
        const shown = `${error.message} ${error.detail} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
        for (const secret of [...at.secrets, key]) expect(shown).not.toContain(secret);
      }
    });
  });
}
