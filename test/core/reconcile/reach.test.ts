import { expect, it } from "vitest";
import { minutes, timestamp, timeText } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { reachKey } from "../../../core/kernel/object/hub-keys.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Store } from "../../../core/kernel/store/store.ts";
import { takesOrders } from "../../../core/placement/hubs/hub.ts";
import type { Report } from "../../../core/ports/hub/news.ts";
import type { NewsKind } from "../../../core/ports/hub/reported-kinds.ts";
import { noteReached, noteSilence, noteUnreached } from "../../../core/reconcile/reach.ts";
import { takeReport } from "../../../core/reconcile/report.ts";
import { hubsInStatus } from "../../../core/reconcile/status/hubs.ts";
import { unwellAs } from "../../../core/resources/hub/unwell.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { interrupted, putting } from "../../support/interrupted-store.ts";
import { addHub } from "../../support/placement.ts";

/** What is found of a hub is written only while it still follows from what is known. */

const stateOf = async (deps: TestDeps) => (await mustLoad(deps, "hub", "hub")).status.state;

const heartbeat = (deps: TestDeps, store: Store = deps.store, told: Partial<Report> = {}) =>
  takeReport({ ...deps, store }, sagas, { hub: "hub", heartbeat: true, news: [], ...told });

/** A hub that was heard and reached, whose agent is silent since. */
async function silentHub(): Promise<TestDeps> {
  const deps = testDeps();
  await addHub(deps, "hub");
  await noteReached(deps, "hub");
  await deps.clock.advance(minutes(11));
  return deps;
}

it("a heartbeat that comes while its hub is found silent counts", async () => {
  const deps = await silentHub();
  const store = interrupted(deps.store, () => heartbeat(deps), putting("hub#hub"));
  await noteSilence({ ...deps, store }, "hub");
  expect(await stateOf(deps)).toBe("HUB_STATE_READY");
});

it("a heartbeat takes back the silence that was found while it came", async () => {
  const deps = await silentHub();
  let found: string | undefined;
  const silence = async () => {
    await noteSilence(deps, "hub");
    found = await stateOf(deps);
  };
  await heartbeat(deps, interrupted(deps.store, silence));
  expect([found, await stateOf(deps)]).toEqual(["HUB_STATE_UNREACHABLE", "HUB_STATE_READY"]);
});

it("a hub that another sweep reaches meanwhile is not unreached", async () => {
  const deps = await silentHub();
  await heartbeat(deps);
  const away = new AppError("Unavailable", "the hub does not answer");
  await noteUnreached(deps, "hub", away);
  const store = interrupted(deps.store, () => noteReached(deps, "hub"), putting("hub#hub"));
  await noteUnreached({ ...deps, store }, "hub", away);
  expect(await stateOf(deps)).toBe("HUB_STATE_READY");
  // The second call without an answer counts as the first in a row.
  expect(await deps.store.get(reachKey("hub"))).toHaveProperty("since");
  await noteReached(deps, "hub");
  expect(await deps.store.get(reachKey("hub"))).not.toHaveProperty("since");
});

it("a hub says which kinds its agent cannot watch, why, since when and what to do; and no more once it can", async () => {
  const deps = testDeps();
  await addHub(deps, "hub");
  const blind = (...kinds: NewsKind[]) =>
    heartbeat(deps, deps.store, {
      unwatched: kinds.map((kind) => ({ kind, error: "self-signed certificate" })),
    });
  const seen = async () => {
    const hub = await mustLoad(deps, "hub", "hub");
    const { hubs } = await hubsInStatus(deps);
    return { ...hub.status, told: unwellAs(hub), listed: hubs.items[0]?.since };
  };
  const since = timestamp(deps.clock.now());
  await blind("Agent");
  await deps.clock.advance(minutes(3));
  await blind("Agent", "NodePool");
  const message = `its agent has not been able to watch these kinds since ${timeText(since)}: Agent, NodePool (self-signed certificate). Check the agent's role and log, and the hub's API server; until then Slipway reads the hub every five minutes`;
  expect(await seen()).toMatchObject({ state: "HUB_STATE_READY", message });
  expect(await seen()).toMatchObject({ told: "UNOBSERVED", listed: since });
  expect((await hubsInStatus(deps)).hubs.unobserved).toBe(1);
  expect(takesOrders(await mustLoad(deps, "hub", "hub"))).toBe(true);

  await heartbeat(deps);
  expect((await seen()).message).toBeUndefined();
  expect((await seen()).told).toBeUndefined();
});
