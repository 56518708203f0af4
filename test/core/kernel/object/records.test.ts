import { expect, it } from "vitest";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import type { Hub } from "../../../../core/resources/hub/model.ts";
import { counting } from "../../../support/counting-store.ts";
import { testDeps } from "../../../support/deps.ts";
import { addHub } from "../../../support/placement.ts";

const withCapacity =
  (capacity: number) =>
  (hub: Hub): Hub => ({ ...hub, spec: { ...hub.spec, capacity } });

async function open() {
  const deps = testDeps();
  await addHub(deps, "h1");
  const { counted: store, calls } = counting(deps.store);
  const known = await mustLoad(deps, "hub", "h1");
  return { deps, known, calls, counted: { ...deps, store } };
}

it("an object that was just read or written is changed without another read", async () => {
  const { deps, known, calls, counted } = await open();
  const once = await changeObject(counted, "hub", "h1", withCapacity(3), known);
  expect(once).toEqual(await mustLoad(deps, "hub", "h1"));
  const twice = await changeObject(counted, "hub", "h1", withCapacity(4), once);
  expect(twice).toEqual(await mustLoad(deps, "hub", "h1"));
  expect(calls).toMatchObject({ get: 0, transact: 2 });
});

it("one that somebody else has written since is read again, and nothing of theirs is lost", async () => {
  const { deps, known, calls, counted } = await open();
  await changeObject(deps, "hub", "h1", (hub) => ({ ...hub, spec: { ...hub.spec, region: "us" } }));
  const after = await changeObject(counted, "hub", "h1", withCapacity(3), known);
  expect(after.spec).toMatchObject({ region: "us", capacity: 3 });
  expect(after).toEqual(await mustLoad(deps, "hub", "h1"));
  expect(calls).toMatchObject({ get: 1, transact: 2 });
});
