import { expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import { slotsKey } from "../../../../core/kernel/object/hub-keys.ts";
import { archive, mustLoad } from "../../../../core/kernel/object/records.ts";
import { audiences } from "../../../../core/placement/capacity/hub-capacity.ts";
import { noteRoom } from "../../../../core/placement/capacity/note-room.ts";
import { capacityByRegion } from "../../../../core/placement/capacity/region-capacity.ts";
import { heartbeatTimeout } from "../../../../core/placement/hubs/hub.ts";
import { noteReached, noteSilence, noteUnreached } from "../../../../core/reconcile/reach.ts";
import { takeReport } from "../../../../core/reconcile/report.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { sagas } from "../../../../statemachines/index.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { interrupted } from "../../../support/interrupted-store.ts";
import { addHosts, addHub, giveAllBack, hostsNamed } from "../../../support/placement.ts";
import { inLine, setHub, waitingDeps } from "../../../support/waiting.ts";

/** Free hosts of the type small and free slots, by region, of those that these audiences see. */
async function free({ store }: Pick<TestDeps, "store">, ...seen: string[]) {
  const regions = await capacityByRegion(store, seen);
  return regions
    .map(({ region, control_planes, hosts }) => [
      region,
      control_planes.free,
      hosts.get("small")?.free ?? 0,
    ])
    .filter(([, slots, hosts]) => slots !== 0 || hosts !== 0);
}

const { everybody, kept, closed } = audiences;

it("the capacity of a region follows its hubs: claims, regions, tenants, a cordon, silence, their end", async () => {
  const deps = waitingDeps();
  for (const [id, hosts] of [
    ["one", 3],
    ["two", 2],
  ] as const) {
    await addHub(deps, id, { capacity: 2 });
    await addHosts(deps, id, "small", hostsNamed(id, hosts));
  }
  await deps.relayed();
  expect(await free(deps, everybody)).toEqual([["eu", 4, 5]]);
  const [order] = await inLine(deps, ["c", { small: 2 }]);
  expect(await free(deps, everybody)).toEqual([["eu", 3, 3]]);
  const [eu] = await capacityByRegion(deps.store, [everybody]);
  expect(eu?.control_planes).toEqual({ total: 4, used: 1, free: 3 });
  expect(eu?.hosts.get("small")).toEqual({ total: 5, used: 2, free: 3, kept: 0, own: 0 });
  await giveAllBack(deps, order);
  await deps.relayed();
  expect(await free(deps, everybody)).toEqual([["eu", 4, 5]]);

  await setHub(deps, "two", { region: "us#1" });
  await deps.relayed();
  expect(await free(deps, everybody)).toEqual([
    ["eu", 2, 3],
    ["us#1", 2, 2],
  ]);
  await setHub(deps, "two", { tenants: ["tenant-b", "tenant-c", "tenant-b"] });
  await deps.relayed();
  expect(await free(deps, everybody)).toEqual([["eu", 2, 3]]);
  for (const audience of [kept, "tenant-b", "tenant-c"])
    expect(await free(deps, audience)).toEqual([["us#1", 2, 2]]);
  expect(await free(deps, everybody, "tenant-b")).toEqual([
    ["eu", 2, 3],
    ["us#1", 2, 2],
  ]);
  await setHub(deps, "two", { cordoned: true });
  await deps.relayed();
  expect(await free(deps, everybody, kept, "tenant-b", "tenant-c")).toEqual([["eu", 2, 3]]);
  expect(await free(deps, closed)).toEqual([["us#1", 2, 2]]);

  const silence = new AppError("Unavailable", "the hub does not answer");
  for (let n = 0; n < 2; n++) await noteUnreached(deps, "one", silence);
  await deps.relayed();
  expect(await free(deps, everybody)).toEqual([]);
  await noteReached(deps, "one");
  await deps.relayed();
  expect(await free(deps, everybody)).toEqual([["eu", 2, 3]]);

  await deps.clock.advance(heartbeatTimeout + 1);
  await noteSilence(deps, "one");
  await deps.relayed();
  expect(await free(deps, everybody)).toEqual([]);
  await takeReport(deps, sagas, { hub: "one", heartbeat: true, news: [] });
  await deps.relayed();
  expect(await free(deps, everybody)).toEqual([["eu", 2, 3]]);
  for (const id of ["one", "two"])
    await deps.store.transact(archive(kinds, await mustLoad(deps, "hub", id), 0));
  await deps.relayed();
  expect(await capacityByRegion(deps.store, [everybody, kept, closed, "tenant-b"])).toMatchObject([
    { region: "eu", control_planes: { total: 0, used: 0, free: 0 } },
    { region: "us#1", control_planes: { total: 0, used: 0, free: 0 } },
  ]);
  deps.store.close();
});

it("a hub that carries more than it should takes no room from others", async () => {
  const deps = testDeps();
  for (const id of ["one", "two"]) await addHub(deps, id, { capacity: 2 });
  await deps.store.transact([{ put: { ...slotsKey("one"), used: 3 } }]);
  for (const id of ["one", "two"]) await noteRoom(deps, id);
  const [eu] = await capacityByRegion(deps.store, [everybody]);
  expect(eu?.control_planes).toEqual({ total: 4, used: 3, free: 2 });
  deps.store.close();
});

it("a hub is counted once, though two see its change at once", async () => {
  const deps = testDeps();
  await addHub(deps, "hub", { capacity: 2 });
  await addHosts(deps, "hub", "small", hostsNamed("s", 2));
  const store = interrupted(deps.store, () => noteRoom(deps, "hub"));
  await noteRoom({ ...deps, store }, "hub");
  expect(await free(deps, everybody)).toEqual([["eu", 2, 2]]);
  deps.store.close();
});

it("a hub that is kept for more tenants than a transaction holds is counted for each", async () => {
  const deps = testDeps();
  const tenants = hostsNamed("tenant", 100);
  await addHub(deps, "hub", { capacity: 2, tenants });
  await noteRoom(deps, "hub");
  for (const tenant of tenants) expect(await free(deps, tenant)).toEqual([["eu", 2, 0]]);
  await setHub(deps, "hub", { tenants: [] });
  await noteRoom(deps, "hub");
  expect(await free(deps, everybody, ...tenants)).toEqual([["eu", 2, 0]]);
  deps.store.close();
});
