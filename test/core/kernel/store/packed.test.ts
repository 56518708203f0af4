import { expect, it } from "vitest";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { objectKey } from "../../../../core/kernel/object/keys.ts";
import { itemWithEvent, load, objectIn } from "../../../../core/kernel/object/records.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { depsWithCatalog, ordered } from "../../../support/orders.ts";

it("stores of a cluster's status when its conditions turned, and answers all of it", async () => {
  const deps = await depsWithCatalog();
  const { cluster } = await ordered(deps);
  const failed = await changeObject(deps, "cluster", cluster.id, (current) => ({
    ...current,
    failure: { step: "One", kind: "Rejected", message: "no" },
  }));
  expect(failed.status.conditions.map(({ message }) => message)).toContain("One: no");
  const item = await deps.store.get(objectKey("cluster", cluster.id));
  expect(item?.object).toHaveProperty("status.since");
  expect(item?.object).not.toHaveProperty("status.conditions");
  expect((await load(deps, "cluster", cluster.id))?.status).toEqual(failed.status);
});

it("dates what only this version sees from the last event", async () => {
  const deps = await depsWithCatalog();
  const { cluster } = await ordered(deps);
  const item = await deps.store.get(objectKey("cluster", cluster.id));
  if (!item) throw new Error("there is no cluster");
  const time = "2026-02-03T04:05:06.000Z";
  const { type } = cluster.event;
  const event = { type, sequence: 2, time, changed: [] };
  const { object } = itemWithEvent(item, event);
  const published = { ...(object as object), published: true };
  const seen = objectIn<"cluster">(kinds, { ...item, object: published });
  expect(seen.status).toMatchObject({ state: "CLUSTER_STATE_READY", state_transition_time: time });
  const turned = seen.status.conditions.filter((each) => each.last_transition_time === time);
  expect(turned.map(({ type }) => type)).toContain("CLUSTER_CONDITION_TYPE_READY");
});
