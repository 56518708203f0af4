import { expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { hubsInStatus } from "../../../core/reconcile/status/hubs.ts";
import { statusOf } from "../../../core/reconcile/status/status.ts";
import { type HubFindings, hubStatus } from "../../../core/resources/hub/status.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { addHub } from "../../support/placement.ts";

const unobserved: HubFindings = {
  HUB_CONDITION_TYPE_OBSERVED: { status: false, reason: "Unwatched", message: "it cannot watch" },
};
const unreached: HubFindings = {
  HUB_CONDITION_TYPE_REACHED: { status: false, reason: "NotReached", message: "it is unreachable" },
};

async function add(deps: TestDeps, id: string, findings: HubFindings, spec = {}): Promise<void> {
  await addHub(deps, id, spec);
  await changeObject(deps, "hub", id, (hub) => ({
    ...hub,
    status: hubStatus(hub.status, findings, deps.clock.now()),
  }));
}

it("counts hubs by state, and lists those that take no orders before those that do", async () => {
  const deps = testDeps();
  await add(deps, "ready", {});
  await add(deps, "unobserved", unobserved);
  await add(deps, "cordoned", {}, { cordoned: true });
  await add(deps, "cordoned-and-unobserved", unobserved, { cordoned: true });
  await add(deps, "incomplete", unobserved, { base_domain: undefined });
  await add(deps, "pending", {
    HUB_CONDITION_TYPE_HEARD: { status: "unknown", reason: "NotHeardYet" },
  });
  await add(deps, "away", unreached, { cordoned: true });

  const { items, ...counts } = (await hubsInStatus(deps)).hubs;
  expect(counts).toEqual({
    ...{ total: 7, ready: 1, unreachable: 1, pending: 1, incomplete: 1 },
    ...{ cordoned: 2, unobserved: 1 },
  });
  expect(items.map(({ id }) => id)).toEqual([
    ...["away", "pending", "incomplete"],
    ...["cordoned-and-unobserved", "cordoned", "unobserved"],
  ]);
});

it("asks for a look at unobserved hubs, cordoned ones too, also where more are unreachable than are listed", async () => {
  const deps = testDeps();
  const away = Array.from({ length: 21 }, (_, n) => `away-${n + 1}`);
  for (const id of away) await add(deps, id, unreached);
  await add(deps, "unobserved", unobserved);
  await add(deps, "cordoned", unobserved, { cordoned: true });
  await add(deps, "well-and-cordoned", {}, { cordoned: true });

  const { attention, hubs } = await statusOf(deps);
  expect(hubs.items.every(({ id }) => away.includes(id))).toBe(true);
  const reasons = Map.groupBy(attention, ({ reason }) => reason);
  expect(reasons.get("HubUnreachable")?.map(({ id }) => id)).toEqual(away.toSorted());
  expect(reasons.get("HubUnobserved")).toMatchObject([
    { id: "cordoned", message: "it cannot watch" },
    { id: "unobserved", message: "it cannot watch" },
  ]);
});
