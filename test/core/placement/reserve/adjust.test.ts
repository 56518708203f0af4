import { expect, it } from "vitest";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { objectKey } from "../../../../core/kernel/object/keys.ts";
import { claimHost } from "../../../../core/placement/pool/entries.ts";
import { adjustPool as adjust } from "../../../../core/placement/reserve/adjust.ts";
import type { ObservedAgent } from "../../../../core/resources/host/model.ts";
import { interrupted } from "../../../support/interrupted-store.ts";
import { addHosts, addHub, giveAllBack, poolOf, statesIn } from "../../../support/placement.ts";
import { inLine, setHost, type Waiting, waitingDeps } from "../../../support/waiting.ts";

/** The pool and what is known of the hosts in it. */

/** Answers the id of the owner that holds the host. */
const adjustPool = async (...[deps, id]: Parameters<typeof adjust>) => (await adjust(deps, id))?.id;

const setAgent = (deps: Waiting, id: string, agent: Partial<ObservedAgent>) =>
  changeObject(deps, "host", id, (host) => ({
    ...host,
    status: {
      ...host.status,
      ...(host.status.agent ? { agent: { ...host.status.agent, ...agent } } : {}),
    },
  }));

async function oneHost(): Promise<Waiting> {
  const deps = waitingDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", ["s-00001"]);
  await deps.relayed();
  return deps;
}

it.each([
  ["is gone", { gone: true }],
  ["is bound", { bound_to: "c1" }],
  ["is labelled for a cluster", { labelled_for: "c1" }],
  ["cannot be taken", { state: "insufficient" }],
])(
  "a host whose agent %s leaves the pool, and comes back when that has passed",
  async (_, agent) => {
    const deps = await oneHost();
    await setAgent(deps, "s-00001", agent);
    expect(await adjustPool(deps, "s-00001")).toBeUndefined();
    expect(await statesIn(deps.store, "hub", "small")).toEqual({ out: 1 });
    const well = { gone: false, bound_to: "", labelled_for: "", state: "known-unbound" };
    await setAgent(deps, "s-00001", well);
    await adjustPool(deps, "s-00001");
    expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 1 });
  },
);

it("a host whose report was taken by a worker that died before the pool followed is moved all the same", async () => {
  const deps = await oneHost();
  for (const [gone, state] of [
    [true, "out"],
    [false, "free"],
  ] as const) {
    await setAgent(deps, "s-00001", { gone });
    await deps.relayed();
    expect(await statesIn(deps.store, "hub", "small")).toEqual({ [state]: 1 });
  }
});

it("a held host stays with its cluster, whatever its agent does", async () => {
  const deps = await oneHost();
  const place = { hub: "hub", hostType: "small" };
  await deps.store.transact([
    claimHost(place, "s-00001", { kind: "cluster", id: "c1", tenant: "acme" }),
  ]);
  for (const gone of [true, false]) {
    await setAgent(deps, "s-00001", { gone });
    expect(await adjustPool(deps, "s-00001")).toBe("c1");
  }
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ held: 1 });
});

it("news that comes in while a host is admitted wins", async () => {
  const deps = await oneHost();
  await setAgent(deps, "s-00001", { gone: true });
  await adjustPool(deps, "s-00001");
  await setAgent(deps, "s-00001", { gone: false });
  const store = interrupted(deps.store, () => setAgent(deps, "s-00001", { gone: true }));
  await adjustPool({ ...deps, store }, "s-00001");
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ out: 1 });
});

it("a host that is removed while it is admitted leaves nothing in the pool", async () => {
  const deps = await oneHost();
  await setHost(deps, "s-00001", { host_type: "big" });
  const store = interrupted(deps.store, () =>
    deps.store.transact([{ delete: objectKey("host", "s-00001") }]),
  );
  await adjustPool({ ...deps, store }, "s-00001");
  expect(await poolOf(deps.store, "hub", "big")).toEqual([]);
});

it("news that comes in while a host is given back wins", async () => {
  const deps = await oneHost();
  const [order] = await inLine(deps, ["one", { small: 1 }]);
  const store = interrupted(deps.store, async () => {
    await setAgent(deps, "s-00001", { gone: true });
    await adjustPool(deps, "s-00001");
  });
  await giveAllBack({ ...deps, store }, order);
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ out: 1 });
});

it("the relay of an old change of a host does not put it back where it was", async () => {
  const deps = waitingDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", ["s-00001"]);
  await deps.relayed();
  await setHost(deps, "s-00001", { host_type: "big" });
  await setHost(deps, "s-00001", { host_type: "huge" });
  await deps.relayed();
  expect(await poolOf(deps.store, "hub", "small")).toEqual([]);
  expect(await poolOf(deps.store, "hub", "big")).toEqual([]);
  expect(await poolOf(deps.store, "hub", "huge")).toMatchObject([{ state: "free" }]);
});

it("a host that moves to another hub is free there only when that hub has seen it", async () => {
  const deps = waitingDeps();
  await addHub(deps, "old");
  await addHub(deps, "new");
  await addHosts(deps, "old", "small", ["s-00001"]);
  await deps.relayed();
  await changeObject(deps, "host", "s-00001", (host) => ({
    ...host,
    generation: host.generation + 1,
    spec: { ...host.spec, hub: "new" },
  }));
  await deps.relayed();
  expect(await poolOf(deps.store, "new", "small")).toMatchObject([{ state: "out" }]);
});
