import { expect, it } from "vitest";
import type { Site, SiteNetwork } from "../../../core/at-site/site.ts";
import { hours, minutes, timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { numbersKey } from "../../../core/kernel/object/number-keys.ts";
import { putNew } from "../../../core/kernel/object/records.ts";
import type { OperationState, StepEntry } from "../../../core/kernel/saga/operation.ts";
import { edit } from "../../../core/kernel/saga/settle.ts";
import { measure } from "../../../core/reconcile/measure.ts";
import { noteUnreached } from "../../../core/reconcile/reach.ts";
import { takeReport } from "../../../core/reconcile/report.ts";
import { sagas } from "../../../statemachines/index.ts";
import type { TestDeps } from "../../support/deps.ts";
import { testDeps } from "../../support/deps.ts";
import { depsWithCatalog, ordered } from "../../support/orders.ts";
import { addHub, hubRecord } from "../../support/placement.ts";

/** An operation in this state, with one step that waits since it began. */
async function operationThat(
  deps: TestDeps,
  state: OperationState,
  name: string,
  step: Partial<StepEntry> = {},
) {
  const { operation } = await ordered(deps, name);
  const now = timestamp(deps.clock.now());
  const entry: StepEntry = {
    ...{ position: 0, state: "WAITING", attempts: 1, leases: {}, system: "hub" },
    ...{ start_time: now, waiting_since: now, usual_end: now, token: "token" },
    ...step,
  };
  await edit(deps, operation.id, (current) => ({
    ...current,
    status: { state },
    steps: { Deploy: entry },
  }));
  return operation.id;
}

it("of nothing there is nothing to tell", async () => {
  expect((await measure(testDeps())).values).toEqual({
    OperationsRunning: 0,
    OperationsStalled: 0,
    OperationsStuck: 0,
    TokenAge: 0,
    HeartbeatAge: 0,
    HubsUnreached: 0,
    PoolUse: 0,
  });
});

it("the step that waits longest is told once its time is up; waits for capacity are not", async () => {
  const deps = await depsWithCatalog();
  const later = timestamp(deps.clock.now() + hours(5));
  await operationThat(deps, "RUNNING", "patient", { usual_end: later });
  await operationThat(deps, "RUNNING", "poor", { system: "placement" });
  await deps.clock.advance(minutes(10));
  const first = await operationThat(deps, "RUNNING", "late");
  await deps.clock.advance(minutes(10));
  await operationThat(deps, "RUNNING", "less-late");
  await deps.clock.advance(minutes(1));
  expect(await measure(deps)).toMatchObject({
    values: { OperationsRunning: 4, TokenAge: 11 * 60 },
    worst: { operation: first, step: "Deploy" },
  });
});

it("who is stuck is counted until somebody says go on", async () => {
  const deps = await depsWithCatalog();
  const stuck = await operationThat(deps, "STUCK", "one");
  await operationThat(deps, "STUCK", "two");
  await operationThat(deps, "FAILED", "three");
  expect((await measure(deps)).values).toMatchObject({ OperationsStuck: 2, OperationsRunning: 0 });
  const at = timestamp(deps.clock.now());
  await edit(deps, stuck, (current) => ({ ...current, resume: { at, by: "ann" } }));
  expect((await measure(deps)).values.OperationsStuck).toBe(1);
});

it("the pool that is fullest is told", async () => {
  const deps = testDeps();
  const { kind: _, ...like } = hubRecord("site-1", {}, deps.clock.now());
  const network: SiteNetwork = {
    vlans: { first: 100, last: 109 },
    prefixes: { cidr: "10.64.0.0/16", length: 24 },
    floating_ips: { first: "203.0.113.1", last: "203.0.113.200" },
    dns_servers: [],
    rest_minutes: 10,
  };
  const spec = { network, credentials: "site/site-1" };
  const site: Site = { ...like, kind: "site", spec, status: { low: [] } };
  await deps.store.transact([
    ...putNew(deps.kinds, site),
    { put: { ...numbersKey("vlans#site-1"), used: 7, resting: 1 } },
    { put: { ...numbersKey("prefixes#site-1"), used: 9, resting: 0 } },
  ]);
  expect(await measure(deps)).toMatchObject({
    values: { PoolUse: 70 },
    worst: { pool: "vlans#site-1" },
  });
});

it("the hub that is silent for longest is told", async () => {
  const deps = testDeps();
  await addHub(deps, "one");
  await addHub(deps, "two");
  await deps.clock.advance(minutes(7));
  await takeReport(deps, sagas, { hub: "one", heartbeat: true, news: [] });
  await deps.clock.advance(minutes(1));
  expect(await measure(deps)).toMatchObject({
    values: { HeartbeatAge: 8 * 60 },
    worst: { hub: "two" },
  });
});

it("hubs that cannot be reached are counted, and one is named", async () => {
  const deps = testDeps();
  for (const hub of ["one", "two"]) await addHub(deps, hub);
  const away = new AppError("Unavailable", "the hub does not answer");
  for (let n = 0; n < 2; n++) await noteUnreached(deps, "two", away);
  expect(await measure(deps)).toMatchObject({
    values: { HubsUnreached: 1 },
    worst: { unreached: "two" },
  });
});
