import { expect, it } from "vitest";
import { hours, timestamp } from "../../../../core/clock.ts";
import { publish, publishMissed } from "../../../../core/kernel/events/publish.ts";
import { loggedKey, logKey } from "../../../../core/kernel/object/keys.ts";
import { testDeps } from "../../../support/deps.ts";
import { hubRecord } from "../../../support/placement.ts";

const week = hours(7 * 24);

/** A hub whose last event happened so long ago. */
function hub(age: number) {
  const deps = testDeps();
  const time = timestamp(deps.clock.now() - age);
  const event = { type: "slipway.hub.updated.v1", sequence: 3, time, changed: [] };
  return { deps, object: { ...hubRecord("h"), event } };
}

it("an event is kept for seven days, and so is the mark that it was told", async () => {
  const { deps, object } = hub(0);
  await publish(deps, object);
  const items = await deps.store.getMany([logKey("shared", 1), loggedKey("hub", object.id, 3)]);
  const end = (deps.clock.now() + week) / 1000;
  expect(items.map((item) => item?.expires)).toEqual([end, end]);
});

it.each([
  ["made up for while marks are kept", week, 1],
  ["not told once its mark may be gone", week + 1, 0],
])("an event that was lost is %s", async (_, age, told) => {
  const { deps, object } = hub(age);
  await publishMissed(deps, object);
  expect(deps.published).toHaveLength(told);
  await publishMissed(deps, object);
  expect(deps.published).toHaveLength(told);
});
