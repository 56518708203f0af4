import * as fc from "fast-check";
import { expect, it } from "vitest";
import { hours, timestamp } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import { firstPlace } from "../../../../core/kernel/events/append.ts";
import { manyWriters, oneWriter } from "../../../../core/kernel/events/log-time.ts";
import { publish, publishMissed } from "../../../../core/kernel/events/publish.ts";
import { definitionOf } from "../../../../core/kernel/object/kind.ts";
import { logPartitions } from "../../../../core/kernel/object/log-keys.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { kindNames } from "../../../../functions/api/registry.ts";
import { testDeps } from "../../../support/deps.ts";
import { hubRecord } from "../../../support/placement.ts";
import { tries } from "../../../support/seed.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

const week = hours(7 * 24);

/** A hub whose last event happened so long ago. */
function hub(age: number) {
  const deps = testDeps();
  const time = timestamp(deps.clock.now() - age);
  const event = { type: "slipway.hub.updated.v1", sequence: 3, time, changed: [] };
  return { deps, object: { ...hubRecord("h"), event } };
}

it.each([
  ["that is told in time", manyWriters],
  ["that is told late, and the mark of its place", oneWriter],
])("an event %s is kept for seven days", async (_, logTimeOf) => {
  const { deps, object } = hub(0);
  await publish({ ...deps, logTime: logTimeOf(deps.clock) }, object, 1);
  const shards = await Promise.all(logPartitions("shared").map((pk) => deps.store.query({ pk })));
  const items = shards.flatMap((page) => page.items);
  const end = (deps.clock.now() + week) / 1000;
  expect(items.map(({ expires }) => expires)).toEqual(items.map(() => end));
  const place = firstPlace("hub", object.id, { ...object.event, tenant: "shared" });
  expect(items).toContainEqual(expect.objectContaining(place));
});

it("an event is behind the one before it in the log, whichever process had a clock ahead", async () => {
  const { deps, object } = hub(0);
  const ahead = { ...deps, logTime: manyWriters(new VirtualClock(deps.clock.now() + 400)) };
  const behind = { ...deps, logTime: manyWriters(deps.clock) };
  const next = (sequence: number) => ({ ...object, event: { ...object.event, sequence } });
  const first = await publish(ahead, object);
  // As the relay does, which has to look for the event before anyway.
  const second = await publish(behind, next(4), await publishMissed(behind, object));
  expect(second).toBe(Number(first) + 1);
  const third = await publish(behind, next(5), await publishMissed(behind, next(4)));
  expect(third).toBe(Number(first) + 2);
});

it("events of objects with the same id have other ids in each kind, and one id each time that they are told", async () => {
  const { deps, object } = hub(0);
  const kindsTold = kindNames.filter((kind) => definitionOf(kinds, kind).events.length > 0);
  const wireForms = Object.fromEntries(
    kindNames.map((kind) => [kind, { view: () => ({ id: object.id }) }]),
  ) as unknown as typeof deps.wireForms;
  const sequences = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), {
    minLength: 1,
    maxLength: 3,
  });
  const ids = fc.oneof(fc.uuid(), fc.constantFrom("rhel-server", "a.1", "1"));
  await fc.assert(
    fc.asyncProperty(ids, sequences, async (id, numbers) => {
      deps.published.length = 0;
      for (const kind of kindsTold)
        for (const sequence of numbers) {
          const told = { ...object, kind, id, event: { ...object.event, sequence } };
          // Only what every kind has is read of it.
          for (const _ of "ab") await publish({ ...deps, wireForms }, told as never, 1);
        }
      const told = deps.published.map((event) => `${event.source} ${event.id}`);
      expect(told).toHaveLength(2 * kindsTold.length * numbers.length);
      expect(new Set(told).size).toBe(kindsTold.length * numbers.length);
    }),
    tries(20),
  );
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

it("an event that was lost is told again until webhooks and the bus have taken it", async () => {
  const { deps, object } = hub(0);
  const refusing = {
    ...deps,
    bus: { publish: () => Promise.reject(new AppError("Unavailable", "the bus refuses")) },
  };
  await expect(publishMissed(refusing, object)).rejects.toThrow("the bus refuses");
  await publishMissed(deps, object);
  await publishMissed(deps, object);
  expect(deps.published).toHaveLength(1);
});
