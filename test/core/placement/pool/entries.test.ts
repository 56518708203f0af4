import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { poolKey } from "../../../../core/kernel/object/hub-keys.ts";
import { isWritten } from "../../../../core/kernel/store/optimistically.ts";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import type { Store, Write } from "../../../../core/kernel/store/store.ts";
import {
  admitHost,
  claimHost,
  findFree,
  releaseHost,
  withdrawHost,
} from "../../../../core/placement/pool/entries.ts";
import { counting } from "../../../support/counting-store.ts";
import { fillPool, hostsNamed, poolOf } from "../../../support/placement.ts";
import { seeded } from "../../../support/random.ts";
import { tries } from "../../../support/seed.ts";

const place = { hub: "hub-a", hostType: "small" };
const nobody: ReadonlySet<string> = new Set();

/** Whether it was done. */
const attempt = (store: Store, ...writes: Write[]): Promise<boolean> => isWritten(store, writes);

interface Turn {
  kind: "claim" | "release" | "admit" | "withdraw";
  host: number;
  usable: boolean;
}

const hosts = hostsNamed("host", 5);
const turn = fc.record<Turn>({
  kind: fc.constantFrom("claim", "claim", "release", "admit", "withdraw"),
  host: fc.nat(hosts.length - 1),
  usable: fc.boolean(),
});

/** One cluster: claims what it may, gives back what it has, and knows what it holds. */
async function play(store: Store, me: string, turns: Turn[], mine: Set<string>): Promise<void> {
  for (const { kind, host, usable } of turns) {
    const id = hosts[host] ?? "";
    if (
      kind === "claim" &&
      (await attempt(store, claimHost(place, id, { kind: "cluster", id: me, tenant: "acme" })))
    ) {
      expect(mine.has(id)).toBe(false);
      mine.add(id);
    }
    if (kind === "release") {
      expect(await attempt(store, releaseHost(place, id, me, usable))).toBe(mine.has(id));
      mine.delete(id);
    }
    if (kind === "admit") await attempt(store, admitHost(place, id));
    if (kind === "withdraw")
      for (const was of [{ ...poolKey(place.hub, place.hostType, id), state: "free" }, undefined])
        await attempt(store, ...withdrawHost(place, id, was));
  }
}

it.each([0, 7])(
  "whatever clusters do at once, each host is held by one, or free, or out (index %i writes behind)",
  async (indexLag) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(turn, { maxLength: 12 }), { minLength: 2, maxLength: 4 }),
        async (clusters) => {
          const store = openSqliteStore(":memory:", { indexLag });
          await fillPool(store, place.hub, place.hostType, hosts);
          const holdings = clusters.map(() => new Set<string>());
          await Promise.all(
            clusters.map((turns, n) => play(store, `c${n}`, turns, holdings[n] ?? new Set())),
          );
          const entries = await poolOf(store, place.hub, place.hostType);
          expect(entries.map((entry) => entry.sk).sort()).toEqual(hosts);
          for (const { sk, state, owner } of entries) {
            const holders = holdings.flatMap((mine, n) => (mine.has(sk) ? [`c${n}`] : []));
            expect(holders).toEqual(state === "held" ? [owner] : []);
          }
          // Read by key, what is free is found, all of it and nothing else.
          store.catchUp();
          const free = entries.filter(({ state }) => state === "free").map((entry) => entry.sk);
          const found = await findFree(store, place, hosts.length, nobody, seeded(1));
          expect(found.map(({ id }) => id).sort()).toEqual(free.sort());
          store.close();
        },
      ),
      tries(100),
    );
  },
);

it("a host that just came free is found though the index does not show it yet", async () => {
  const store = openSqliteStore(":memory:", { indexLag: 1000 });
  await fillPool(store, place.hub, place.hostType, hosts);
  const found = await findFree(store, place, 3, nobody, seeded(1));
  expect(found).toHaveLength(3);
});

it("hosts that somebody took are left out, however often the index offers them", async () => {
  const store = openSqliteStore(":memory:");
  await fillPool(store, place.hub, place.hostType, hosts);
  const taken = new Set(hosts.slice(0, 4));
  const found = await findFree(store, place, 2, taken, seeded(1));
  expect(found.map(({ id }) => id)).toEqual(hosts.slice(4));
});

describe("what finding and claiming a host costs", () => {
  it.each([100, 1_000, 10_000])("is the same with %i hosts", async (size) => {
    const store = openSqliteStore(":memory:");
    await fillPool(store, place.hub, place.hostType, hostsNamed("host", size));
    const { counted, calls } = counting(store);
    const random = seeded(7);
    for (let n = 0; n < 20; n++) {
      const [host] = await findFree(counted, place, 1, nobody, random);
      await counted.transact([
        claimHost(place, host?.id ?? "", { kind: "cluster", id: `c${n}`, tenant: "acme" }),
      ]);
    }
    expect(calls).toEqual({
      ...{ get: 0, getMany: 0, query: 20, count: 0, transact: 20 },
      ...{ read: 20, counted: 0, written: 20 },
    });
  });
});
