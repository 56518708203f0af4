import { describe, expect, it } from "vitest";
import { minutes, timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { withLastEvent } from "../../../core/kernel/events/outbox.ts";
import { archiveKey, objectKey } from "../../../core/kernel/object/keys.ts";
import { archive, mustLoad, putChanged } from "../../../core/kernel/object/records.ts";
import { readSwitch, setSwitch } from "../../../core/kernel/request/maintenance-switch.ts";
import type { Operation } from "../../../core/kernel/saga/operation.ts";
import { dueFor } from "../../../core/ports/sweep-times.ts";
import type {
  EndedOwner,
  ExternalObject,
  ExternalSystem,
} from "../../../core/reconcile/external-system.ts";
import { findOrphans, orphansOf } from "../../../core/reconcile/orphans.ts";
import { removeOrphans } from "../../../core/reconcile/remove-orphans.ts";
import { sweepHubOrphans } from "../../../core/reconcile/sweep-orphans.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import type { TestDeps } from "../../support/deps.ts";
import { interrupted, putting } from "../../support/interrupted-store.ts";
import { depsWithCatalog, ordered } from "../../support/orders.ts";
import { addHub } from "../../support/placement.ts";

/** The book of what has no owner, on a system of which the test says what is there. */

const place = { kind: "site", id: "site-1" } as const;
const raise = (_: ExternalSystem, error: unknown): never => {
  throw error;
};

class Elsewhere implements ExternalSystem {
  readonly system = "fabric";
  readonly removed: string[] = [];
  /** With them, by id. */
  readonly removedThings: string[] = [];
  things: ExternalObject[] = [];
  onList = async (): Promise<void> => {};
  onRemove = (_: EndedOwner["object"]): void => {};

  async list(): Promise<ExternalObject[]> {
    const seen = [...this.things];
    await this.onList();
    return seen;
  }

  async remove({ object }: EndedOwner, things: ExternalObject[]): Promise<boolean> {
    this.onRemove(object);
    this.removed.push(object.id);
    this.removedThings.push(...things.map(({ id }) => id));
    return true;
  }
}

const network = (id: string, kind = "cluster"): ExternalObject => ({
  kind: "network",
  id: `net-${id}`,
  owner: { kind, id },
});

/** A hub with namespaces that say these clusters own them. */
const ofHub = (clusters: string[]) => ({
  observeAll: async () =>
    clusters.map((id) => ({
      kind: "Namespace",
      name: `cluster-${id}`,
      owner: { kind: "cluster", id, tenant: "t" },
    })),
});

/** A cluster that was deleted: archived, its last operation ended (unless told otherwise). */
async function gone(
  deps: TestDeps,
  name: string,
  state: Operation["status"]["state"] = "SUCCEEDED",
): Promise<string> {
  const { cluster, operation } = await ordered(deps, name);
  const now = deps.clock.now();
  const status = { ...operation.status, state };
  await deps.store.transact(putChanged(kinds, operation, { ...operation, status }));
  const stored = await mustLoad(deps, "cluster", cluster.id);
  await deps.store.transact(archive(kinds, withLastEvent(stored, now), now));
  return cluster.id;
}

const find = async (deps: TestDeps, elsewhere: ExternalSystem) =>
  (await findOrphans(deps, place, [elsewhere], raise))?.orphans ?? [];

/** Finds, waits for more than the grace, finds again and removes. */
async function run(deps: TestDeps, elsewhere: ExternalSystem, failed = raise): Promise<void> {
  await removeOrphans(deps, [elsewhere], await find(deps, elsewhere), failed);
}

it("a hub is due again in an hour if nothing was found there, and stays due otherwise", async () => {
  const deps = await depsWithCatalog();
  await addHub(deps, "hub");
  const isDue = async () => (await dueFor(deps, "orphans")).length > 0;
  for (const answer of [ofHub(["lost"]), { observeAll: away }]) {
    deps.hubClients.set("hub", answer);
    await sweepHubOrphans(deps, "hub");
    expect(await isDue()).toBe(true);
  }
  deps.hubClients.set("hub", ofHub([]));
  await sweepHubOrphans(deps, "hub");
  await deps.clock.advance(minutes(50));
  expect(await isDue()).toBe(false);
  await deps.clock.advance(minutes(10));
  expect(await isDue()).toBe(true);
});

const away = async () => {
  throw new AppError("Unavailable", "the hub does not answer");
};

describe("the owner of a thing", () => {
  it("is found even if its record was written while the sweep was listing", async () => {
    const deps = await depsWithCatalog();
    const elsewhere = new Elsewhere();
    const { cluster } = await ordered(deps, "first");
    elsewhere.things = [network(cluster.id)];
    const stored = await deps.store.get({ pk: `cluster#${cluster.id}`, sk: "-" });
    await deps.store.transact([{ delete: { pk: `cluster#${cluster.id}`, sk: "-" } }]);
    elsewhere.onList = async () => {
      if (stored) await deps.store.transact([{ put: stored }]);
    };
    expect(await find(deps, elsewhere)).toEqual([]);
    await deps.clock.advance(minutes(120));
    await run(deps, elsewhere);
    expect(elsewhere.removed).toEqual([]);
  });

  it("that has only just ended still counts: its things may be on their way", async () => {
    const deps = await depsWithCatalog();
    const elsewhere = new Elsewhere();
    elsewhere.things = [network(await gone(deps, "one"))];
    await deps.clock.advance(minutes(5));
    expect(await find(deps, elsewhere)).toEqual([]);
    await deps.clock.advance(minutes(6));
    expect(await find(deps, elsewhere)).toHaveLength(1);
  });

  it.each(["", "x".repeat(3000)])("may be named by nonsense", async (id) => {
    const deps = await depsWithCatalog();
    const elsewhere = new Elsewhere();
    elsewhere.things = [{ ...network("a"), owner: { kind: "cluster", id } }];
    expect(await find(deps, elsewhere)).toHaveLength(1);
  });
});

describe("a thing whose owner is of another kind", () => {
  it.each(["host_type", "virtual_network", "constructor"])(
    "is no cluster's, whose id is the same: %s",
    async (kind) => {
      const deps = await depsWithCatalog();
      const elsewhere = new Elsewhere();
      const { cluster } = await ordered(deps, "first");
      elsewhere.things = [network(cluster.id), { ...network(cluster.id, kind), id: "other" }];
      const owner = { kind, id: cluster.id };
      expect(await find(deps, elsewhere)).toMatchObject([{ id: "other", owner }]);
    },
  );

  it("is its owner's, and no orphan, while that one lives", async () => {
    const deps = await depsWithCatalog();
    const elsewhere = new Elsewhere();
    elsewhere.things = [network("t1", "cluster_template"), network("t2", "cluster_template")];
    expect(await find(deps, elsewhere)).toMatchObject([{ id: "net-t2" }]);
  });

  it.each(["host_type", "virtual_network", "constructor"])(
    "stays when the remains of the cluster with the same id go: %s",
    async (kind) => {
      const deps = await depsWithCatalog();
      const elsewhere = new Elsewhere();
      const id = await gone(deps, "one");
      elsewhere.things = [network(id), { ...network(id, kind), id: "other" }];
      await deps.clock.advance(minutes(15));
      await find(deps, elsewhere);
      await deps.clock.advance(minutes(90));
      await run(deps, elsewhere);
      expect(elsewhere.removedThings).toEqual([`net-${id}`]);
    },
  );
});

it("since when something is there is kept, and begins anew when it was away", async () => {
  const deps = await depsWithCatalog();
  const elsewhere = new Elsewhere();
  elsewhere.things = [network("a"), network("b")];
  const began = timestamp(deps.clock.now());
  await find(deps, elsewhere);
  await deps.clock.advance(minutes(20));
  elsewhere.things = [network("b")];
  expect(await find(deps, elsewhere)).toMatchObject([{ id: "net-b", first_seen: began }]);
  elsewhere.things = [network("a"), network("b")];
  expect(await find(deps, elsewhere)).toMatchObject([
    { id: "net-b", first_seen: began },
    { id: "net-a", first_seen: timestamp(deps.clock.now()) },
  ]);
});

it("what a system cannot be asked for stays in the book", async () => {
  const deps = await depsWithCatalog();
  const elsewhere = new Elsewhere();
  elsewhere.things = [network("a")];
  const known = await find(deps, elsewhere);
  elsewhere.onList = async () => {
    throw new AppError("Unavailable", "away");
  };
  const failures: unknown[] = [];
  const found = await findOrphans(deps, place, [elsewhere], (_, error) => failures.push(error));
  expect(found?.orphans).toEqual(known);
  expect(failures).toHaveLength(1);
});

describe("two sweeps of one place at once", () => {
  /** A sweep that listed one network, while another found all of these and ended. */
  async function overtaken(deps: TestDeps, faster: string[]) {
    const [slow, fast] = [new Elsewhere(), new Elsewhere()];
    slow.things = [network("a")];
    fast.things = faster.map((id) => network(id));
    slow.onList = async () => {
      await deps.clock.advance(minutes(1));
      await find(deps, fast);
      await deps.clock.advance(minutes(1));
    };
    return findOrphans(deps, place, [slow], raise);
  }

  it("the slower one moves nothing of what the faster one has recorded", async () => {
    const deps = await depsWithCatalog();
    const first_seen = timestamp(deps.clock.now() + minutes(1));
    expect(await overtaken(deps, ["a", "b"])).toBeUndefined();
    expect(await orphansOf(deps.store, place)).toMatchObject([
      { id: "net-a", first_seen },
      { id: "net-b", first_seen },
    ]);
  });

  it("the slower one does not bring back what the faster one found gone", async () => {
    const deps = await depsWithCatalog();
    const before = new Elsewhere();
    before.things = [network("b")];
    await find(deps, before);
    expect(await overtaken(deps, [])).toBeUndefined();
    expect(await orphansOf(deps.store, place)).toEqual([]);
  });

  it("the status tells what is recorded when it is written", async () => {
    const deps = await depsWithCatalog();
    await addHub(deps, "hub");
    const hub = { kind: "hub", id: "hub" } as const;
    const [slow, fast] = [ofHub(["a"]), ofHub(["a", "b"])];
    deps.hubClients.set("hub", slow);
    const faster = async () => {
      deps.hubClients.set("hub", fast);
      await sweepHubOrphans(deps, "hub");
    };
    const store = interrupted(deps.store, faster, putting("hub#hub"));
    await sweepHubOrphans({ ...deps, store }, "hub");
    expect(await orphansOf(deps.store, hub)).toHaveLength(2);
    expect((await mustLoad(deps, "hub", "hub")).status.orphans).toMatchObject({ count: 2 });
  });
});

it("hundreds are kept, and nothing is written while they stay the same", async () => {
  const deps = await depsWithCatalog();
  const elsewhere = new Elsewhere();
  elsewhere.things = Array.from({ length: 250 }, (_, n) => network(`c${n}`));
  expect(await find(deps, elsewhere)).toHaveLength(250);
  const last = deps.store.stream(undefined, 10_000).at(-1)?.sequence;
  expect(await find(deps, elsewhere)).toHaveLength(250);
  expect(deps.store.stream(last, 1)).toEqual([]);
});

describe("removal", () => {
  /** So many clusters that are gone, and something of each, found an hour and a half ago. */
  async function old(count: number) {
    const deps = await depsWithCatalog();
    const elsewhere = new Elsewhere();
    for (let n = 0; n < count; n++) elsewhere.things.push(network(await gone(deps, `c${n}`)));
    await deps.clock.advance(minutes(15));
    await find(deps, elsewhere);
    await deps.clock.advance(minutes(90));
    return { deps, elsewhere };
  }

  it("takes ten in a run, and does not take the same ones for ever", async () => {
    const { deps, elsewhere } = await old(25);
    await run(deps, elsewhere);
    expect(elsewhere.removed).toHaveLength(10);
    for (let n = 0; n < 30; n++) await run(deps, elsewhere);
    expect(new Set(elsewhere.removed).size).toBe(25);
  });

  it("waits an hour since all that belongs together was seen", async () => {
    const { deps, elsewhere } = await old(1);
    const [known] = elsewhere.things;
    elsewhere.things.push({ ...network(known?.owner.id ?? ""), id: "another" });
    await run(deps, elsewhere);
    await deps.clock.advance(minutes(59));
    await run(deps, elsewhere);
    expect(elsewhere.removed).toEqual([]);
    await deps.clock.advance(minutes(1));
    await run(deps, elsewhere);
    expect(elsewhere.removed).toHaveLength(1);
  });

  it("leaves alone what belonged to a cluster whose operation has not ended", async () => {
    const deps = await depsWithCatalog();
    const elsewhere = new Elsewhere();
    for (const state of ["RUNNING", "STUCK", "PENDING"] as const)
      elsewhere.things.push(network(await gone(deps, state.toLowerCase(), state)));
    await deps.clock.advance(minutes(15));
    await find(deps, elsewhere);
    await deps.clock.advance(minutes(90));
    await run(deps, elsewhere);
    expect(elsewhere.removed).toEqual([]);
  });

  it("leaves alone what belongs to a cluster that lives, though it was archived once", async () => {
    const { deps, elsewhere } = await old(1);
    const orphans = await find(deps, elsewhere);
    const id = orphans[0]?.owner.id ?? "";
    const archived = await deps.store.get(archiveKey("cluster", id));
    if (!archived) throw new Error("the cluster was not archived");
    const { expires: _, ...record } = archived;
    const live = objectKey("cluster", id);
    await deps.store.transact([{ put: { ...record, ...live } }]);
    await removeOrphans(deps, [elsewhere], orphans, raise);
    expect(elsewhere.removed).toEqual([]);
    await deps.store.transact([{ delete: live }]);
    await removeOrphans(deps, [elsewhere], orphans, raise);
    expect(elsewhere.removed).toEqual([id]);
  });

  it("leaves alone what belonged to nobody whom the table knows", async () => {
    const { deps, elsewhere } = await old(1);
    const orphans = await find(deps, elsewhere);
    const id = orphans[0]?.owner.id ?? "";
    await deps.store.transact([{ delete: archiveKey("cluster", id) }]);
    await removeOrphans(deps, [elsewhere], orphans, raise);
    expect(elsewhere.removed).toEqual([]);
  });

  it("leaves alone what belonged to a kind that says nothing of the things it owns", async () => {
    const { deps, elsewhere } = await old(1);
    await run({ ...deps, owners: {} }, elsewhere);
    expect(elsewhere.removed).toEqual([]);
    await run(deps, elsewhere);
    expect(elsewhere.removed).toHaveLength(1);
  });

  it("stops in the middle of a run when it is paused", async () => {
    const { deps, elsewhere } = await old(5);
    const orphans = await find(deps, elsewhere);
    let paused: Promise<unknown> | undefined;
    elsewhere.onRemove = () => {
      paused = setSwitch(deps, "removal", true, "root");
    };
    await removeOrphans(deps, [elsewhere], orphans, raise);
    await paused;
    expect(elsewhere.removed).toHaveLength(1);
    await run(deps, elsewhere);
    expect(elsewhere.removed).toHaveLength(1);
    await setSwitch(deps, "removal", false, "root");
    elsewhere.onRemove = () => {};
    await run(deps, elsewhere);
    expect(elsewhere.removed).toHaveLength(6);
  });

  it("stops for a switch that was put into the table by hand", async () => {
    const { deps, elsewhere } = await old(1);
    await deps.store.transact([{ put: { pk: "setting#removal", sk: "-" } }]);
    expect(await readSwitch(deps.store, "removal")).toEqual({ paused: true });
    await run(deps, elsewhere);
    expect(elsewhere.removed).toEqual([]);
  });

  it("that fails is told, and does not keep the others from going", async () => {
    const { deps, elsewhere } = await old(3);
    const [bad] = elsewhere.things;
    elsewhere.onRemove = ({ id }) => {
      if (id === bad?.owner.id) throw new AppError("Rejected", "no");
    };
    const failures: unknown[] = [];
    const orphans = await find(deps, elsewhere);
    await removeOrphans(deps, [elsewhere], orphans, (_, error) => failures.push(error));
    expect(failures).toHaveLength(1);
    expect(elsewhere.removed).toHaveLength(2);
  });
});
