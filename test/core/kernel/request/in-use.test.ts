import { describe, expect, it } from "vitest";
import { load, mustLoad } from "../../../../core/kernel/object/records.ts";
import type { Caller } from "../../../../core/kernel/request/caller.ts";
import { References } from "../../../../core/kernel/request/references.ts";
import { endWrites } from "../../../../core/kernel/saga/end.ts";
import type { OperatedDeps } from "../../../../core/kernel/saga/operated.ts";
import { TransactionRefused } from "../../../../core/kernel/store/store.ts";
import { uses } from "../../../support/books/counters.ts";
import { Table } from "../../../support/books/table.ts";
import { counting } from "../../../support/counting-store.ts";
import type { TestDeps } from "../../../support/deps.ts";
import { interrupted } from "../../../support/interrupted-store.ts";
import { meeting } from "../../../support/meeting-store.ts";
import { seeded } from "../../../support/random.ts";
import { seed } from "../../../support/seed.ts";
import { toyDeps } from "../../../support/toy/deps.ts";
import { kind, operating } from "../../../support/toy/kind.ts";
import { asToyId, type ToyId } from "../../../support/toy/model.ts";
import { alice, deleteToy, type Named, orderToy, toyId } from "../../../support/toy/orders.ts";
import { toySagas } from "../../../support/toy/sagas.ts";

/** A toy on which others stand stays, and the refusal names these; on one that is being deleted none is put. */

const idOf = (name: string) => asToyId(`id-${name}`);

/** Orders a toy that stands on the usual one. */
const onTop = (deps: OperatedDeps, name: string, more: Partial<Named> = {}) =>
  orderToy(deps, "toy-create", {}, { id: idOf(name), name, on: toyId, ...more });

async function withToy(deps = toyDeps()): Promise<TestDeps> {
  await orderToy(deps);
  return deps;
}

/** The end of the operation that runs on a toy. */
async function ends(deps: OperatedDeps, id: ToyId, kindOfFailure?: string) {
  const { operation: running = "" } = await mustLoad(deps, "toy", id);
  const operation = await mustLoad(deps, "operation", running);
  const saga = toySagas[operation.spec.saga];
  if (!saga) throw new Error(`there is no saga ${operation.spec.saga}`);
  const failure = kindOfFailure && { step: "MakeCrate", kind: kindOfFailure, message: "no" };
  await deps.store.transact(
    await endWrites(deps, saga, operation, operation, failure || undefined),
  );
}

async function removed(deps: OperatedDeps, id: ToyId) {
  await deleteToy(deps, id);
  // The deletion waited for what ran, if anything did.
  while (await load(deps, "toy", id)) await ends(deps, id);
}

const expectBooks = ({ store, kinds, clock, wall }: TestDeps) =>
  expect(
    uses().wrong({ table: new Table(store, kinds), kinds, now: clock.now(), wall: wall.now() }),
  ).toEqual([]);

const refusedWith = (message: string) => ({
  kind: "FailedPrecondition",
  message: `cannot delete toy 'toy-1': ${message}`,
});

describe("the refusal of a deletion that a saga would carry out", () => {
  it("names the users by kind, name and id, in words and for machines, and changes nothing", async () => {
    const deps = await withToy();
    for (const name of ["b", "a"]) await onTop(deps, name);
    await onTop(deps, "toy-x", { id: asToyId("toy-x") });
    const before = [...deps.store.items()];
    await expect(deleteToy(deps)).rejects.toMatchObject({
      ...refusedWith("in use by toy 'a' (id-a), toy 'b' (id-b), toy 'toy-x'"),
      inUse: [
        {
          kind: "toy",
          count: 3,
          objects: [
            { id: "id-a", name: "a" },
            { id: "id-b", name: "b" },
            { id: "toy-x", name: "toy-x" },
          ],
        },
      ],
    });
    expect([...deps.store.items()]).toEqual(before);
    expectBooks(deps);
  });

  it("names ten, and counts the others", async () => {
    const deps = await withToy();
    for (let n = 10; n < 23; n++) await onTop(deps, `t${n}`);
    const ten = Array.from({ length: 10 }, (_, n) => `toy 't${10 + n}' (id-t${10 + n})`);
    await expect(deleteToy(deps)).rejects.toMatchObject(
      refusedWith(`in use by ${ten.join(", ")}, 3 other toys`),
    );
  });

  it("counts the users of other tenants and projects, and names them to nobody who does not see them", async () => {
    const deps = await withToy(toyDeps(operating, { ...kind, inProjects: true }));
    await onTop(deps, "web", { project: "shop" });
    await onTop(deps, "page", { project: "shop.web" });
    await onTop(deps, "till", { project: "till" });
    await onTop(deps, "bare");
    await onTop(deps, "theirs", { tenant: "tenant-b" });
    const shop: Caller = { ...alice, projects: { seen: ["shop"], allowed: ["shop"] } };
    const root: Caller = { user: "root", tenant: "", everywhere: true };
    const inShop = "toy 'page' (id-page)";
    const web = "toy 'web' (id-web)";
    const [bare, till] = ["toy 'bare' (id-bare)", "toy 'till' (id-till)"];
    const refusal = (caller: Caller) =>
      deleteToy(deps, toyId, caller).then(
        () => "",
        (error: Error) => error.message.replace(/.*in use by /, ""),
      );
    // The toy itself is in no project; a member of one gets at it only where it is shown to everybody.
    expect(await refusal(alice)).toBe([bare, inShop, till, web, "1 other toy"].join(", "));
    expect(await refusal(root)).toBe(
      [bare, inShop, "toy 'theirs' (id-theirs)", till, web].join(", "),
    );
    await removed(deps, idOf("bare"));
    expect(await refusal(shop)).toMatch("not found");
    await orderToy(deps, "toy-create", {}, { id: asToyId("base"), name: "base", project: "shop" });
    for (const [name, project] of [
      ["in", "shop"],
      ["out", "till"],
      ["far", "till"],
    ])
      await onTop(deps, `${name}`, { on: asToyId("base"), project: `${project}` });
    await expect(deleteToy(deps, asToyId("base"), shop)).rejects.toMatchObject({
      message: "cannot delete toy 'base': in use by toy 'in' (id-in), 2 other toys",
      inUse: [{ kind: "toy", count: 3, objects: [{ id: "id-in", name: "in" }] }],
    });
    expectBooks(deps);
  });

  it("says only how many they are where the caller sees none of them", async () => {
    const deps = await withToy();
    for (const name of ["a", "b"]) await onTop(deps, name, { tenant: "tenant-b" });
    await expect(deleteToy(deps)).rejects.toMatchObject({
      ...refusedWith("in use by 2 toys"),
      inUse: [{ kind: "toy", count: 2, objects: [] }],
    });
  });

  it("reads at most a hundred users, however many there are that the caller does not see", async () => {
    const deps = await withToy();
    for (let n = 0; n < 130; n++) await onTop(deps, `a${n}`, { tenant: "tenant-b" });
    await onTop(deps, "z");
    const { counted: store, calls } = counting(deps.store);
    await expect(deleteToy({ ...deps, store })).rejects.toMatchObject(
      refusedWith("in use by 131 toys"),
    );
    // The toy and its counters; then each use and its user.
    expect(calls.read).toBeLessThanOrEqual(2 + 8 + 2 * 100);
  });

  it("says only how many they are of a kind that names none, and such a use has no item", async () => {
    const deps = await withToy(toyDeps(operating, { ...kind, referencedByOthers: {} }));
    await onTop(deps, "a");
    expect([...deps.store.items()].filter(({ pk }) => pk.startsWith("used-by#"))).toEqual([]);
    await expect(deleteToy(deps)).rejects.toMatchObject(refusedWith("in use by 1 toy"));
    expectBooks(deps);
  });
});

describe("a deletion that a saga carries out", () => {
  it("is accepted once the last user is gone, one that is being deleted included", async () => {
    const deps = await withToy();
    await onTop(deps, "a");
    await deleteToy(deps, idOf("a"));
    await expect(deleteToy(deps)).rejects.toMatchObject(refusedWith("in use by toy 'a' (id-a)"));
    await removed(deps, idOf("a"));
    await removed(deps, toyId);
    expect(await load(deps, "toy", toyId)).toBeUndefined();
    expectBooks(deps);
  });

  it("lets nothing use its target from then on, not even when it has failed", async () => {
    const deps = await withToy();
    await deleteToy(deps);
    const violations: { field: string; message: string }[] = [];
    const references = new References(deps, "tenant-a", violations);
    expect(await references.resolve("spec.on", "toy", toyId)).toBeUndefined();
    expect(violations).toEqual([{ field: "spec.on", message: 'Toy "toy-1" is being deleted' }]);
    await expect(onTop(deps, "a")).rejects.toThrow(TransactionRefused);
    await ends(deps, toyId, "Cancelled");
    await ends(deps, toyId, "Rejected");
    expect(await mustLoad(deps, "toy", toyId)).toMatchObject({ failure: { kind: "Rejected" } });
    await expect(onTop(deps, "a")).rejects.toThrow(TransactionRefused);
    await removed(deps, toyId);
    expectBooks(deps);
  });

  it("finds a target whose create has turned back as it was: open, and in the way while others use it", async () => {
    const deps = await withToy();
    await ends(deps, toyId, "Rejected");
    await onTop(deps, "a");
    await ends(deps, idOf("a"), "Rejected");
    await expect(deleteToy(deps)).rejects.toMatchObject(refusedWith("in use by toy 'a' (id-a)"));
    await removed(deps, idOf("a"));
    await removed(deps, toyId);
    expectBooks(deps);
  });

  it("leaves an id open that is used again", async () => {
    const deps = await withToy();
    await removed(deps, toyId);
    await orderToy(deps);
    await onTop(deps, "a");
    expectBooks(deps);
  });
});

describe("a user and the deletion of what it uses", () => {
  it("do not pass each other: the use came first", async () => {
    const deps = await withToy();
    const store = interrupted(deps.store, () => onTop(deps, "a"));
    await expect(deleteToy({ ...deps, store })).rejects.toMatchObject(
      refusedWith("in use by toy 'a' (id-a)"),
    );
    expectBooks(deps);
  });

  it("do not pass each other: the deletion came first", async () => {
    const deps = await withToy();
    const store = interrupted(deps.store, () => deleteToy(deps));
    await expect(onTop({ ...deps, store }, "a")).rejects.toThrow(TransactionRefused);
    expect(await load(deps, "toy", idOf("a"))).toBeUndefined();
    expectBooks(deps);
  });

  it("are never both accepted, however fifty creates and a deletion meet", async () => {
    const first = { use: 0, deletion: 0 };
    for (let round = 0; round < 20; round++) {
      const deps = await withToy();
      const random = seeded(seed + round);
      const met = { ...deps, store: meeting(deps.store, random) };
      // A create writes at once and a deletion reads first, so the creates come later with each round.
      const later = async (create: () => Promise<unknown>) => {
        for (let left = Math.floor(random() * 16) + 3 * round; left > 0; left--)
          await new Promise((resolve) => setImmediate(resolve));
        return create();
      };
      const deletion = deleteToy(met).catch((error: Error) => error.message);
      const creates = await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) => later(() => onTop(met, `t${n}`))),
      );
      const accepted = creates.filter(({ status }) => status === "fulfilled").length;
      if ((await deletion) === undefined) {
        first.deletion++;
        expect(accepted).toBe(0);
      } else {
        first.use++;
        expect(await deletion).toMatch(/in use by toy 't\d+'/);
        expect(accepted).toBe(50);
      }
      expectBooks(deps);
    }
    expect(Math.min(first.use, first.deletion), JSON.stringify(first)).toBeGreaterThan(0);
  });
});
