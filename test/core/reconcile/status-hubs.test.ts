import { expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { hubsByState } from "../../../core/reconcile/status/hubs.ts";
import { type HubFindings, hubStatus } from "../../../core/resources/hub/status.ts";
import { testDeps } from "../../support/deps.ts";
import { addHub } from "../../support/placement.ts";

const unobserved: HubFindings = {
  HUB_CONDITION_TYPE_OBSERVED: { status: false, reason: "Unwatched", message: "it cannot watch" },
};
const away: HubFindings = {
  HUB_CONDITION_TYPE_REACHED: { status: false, reason: "NotReached", message: "it is away" },
};

it("counts hubs by state, and lists those that take no orders before those that do", async () => {
  const deps = testDeps();
  const add = async (id: string, findings: HubFindings, spec = {}) => {
    await addHub(deps, id, spec);
    await changeObject(deps, "hub", id, (hub) => ({
      ...hub,
      status: hubStatus(hub.status, findings, deps.clock.now()),
    }));
  };
  await add("ready", {});
  await add("unobserved", unobserved);
  await add("cordoned", {}, { cordoned: true });
  await add("cordoned-and-unobserved", unobserved, { cordoned: true });
  await add("incomplete", unobserved, { base_domain: undefined });
  await add("pending", { HUB_CONDITION_TYPE_HEARD: { status: "unknown", reason: "NotHeardYet" } });
  await add("away", away, { cordoned: true });

  const { items, ...counts } = await hubsByState(deps);
  expect(counts).toEqual({
    ...{ total: 7, ready: 1, unreachable: 1, pending: 1, incomplete: 1 },
    ...{ cordoned: 2, unobserved: 1 },
  });
  expect(items.map(({ id }) => id)).toEqual([
    ...["away", "pending", "incomplete"],
    ...["cordoned-and-unobserved", "cordoned", "unobserved"],
  ]);
});
