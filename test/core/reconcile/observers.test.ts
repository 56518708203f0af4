import { describe, expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { hubPartition, indexKeys } from "../../../core/kernel/object/keys.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { type Action, saga } from "../../../core/kernel/saga/action.ts";
import { done, pending, step } from "../../../core/kernel/saga/saga.ts";
import { silent } from "../../../core/log.ts";
import type { Absence } from "../../../core/ports/hub/absence.ts";
import { clusterLabel } from "../../../core/ports/hub/clusters/labels.ts";
import type { Observing } from "../../../core/ports/hub/observer.ts";
import { newsKinds } from "../../../core/ports/hub/reported-kinds.ts";
import { takeReport } from "../../../core/reconcile/report.ts";
import { sweepHub } from "../../../core/reconcile/sweep-hub.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { absences } from "../../../core/resources/generated/absences.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { meanings } from "../../../core/resources/generated/meanings.ts";
import { observers } from "../../../core/resources/generated/observers.ts";
import { sagas } from "../../../statemachines/index.ts";
import { newsOfKind } from "../../support/news.ts";
import { addHosts, addHub, macOf } from "../../support/placement.ts";
import { inLine, type Waiting, waitingDeps } from "../../support/waiting.ts";

/** A cluster on hub one, which has a host; a hub two beside it. */
async function placed(overrides: Parameters<typeof waitingDeps>[0] = {}) {
  const deps = waitingDeps(overrides);
  for (const hub of ["one", "two"]) await addHub(deps, hub);
  await addHosts(deps, "one", "small", ["s-00001"]);
  await inLine(deps, ["c1", { small: 1 }]);
  return deps;
}

describe("the registry", () => {
  const having = (reported: string, registry: object) =>
    Object.entries(registry).flatMap(([kind, of]) => (reported in of ? [kind] : []));
  const observing = Object.fromEntries(
    Object.entries(observers).map(([kind, of]) => [kind, of.observers]),
  );

  it.each(newsKinds)(
    "has one observer of a %s, and the same kind says what it means",
    (reported) => {
      expect(having(reported, observing)).toHaveLength(1);
      expect(having(reported, meanings)).toEqual(having(reported, observing));
    },
  );

  it("has of each kind that observes what it means that a hub lacks something", () => {
    expect(Object.keys(absences).sort()).toEqual(Object.keys(observers).sort());
  });

  it("has kinds whose objects the sweep finds by the hub that speaks for them", async () => {
    const deps = await placed();
    const [cluster, host] = [
      await mustLoad(deps, "cluster", "c1"),
      await mustLoad(deps, "host", "s-00001"),
    ];
    expect(observers.cluster?.hubOf(cluster)).toBe("one");
    expect(observers.host?.hubOf(host)).toBe("one");
    for (const object of [cluster, host])
      expect(indexKeys(kinds, object).g3pk).toBe(hubPartition("one", object.kind));
  });
});

it("a report of a kind that nobody observes is dropped with a log line, and the others are taken", async () => {
  const warned: unknown[][] = [];
  const log = { ...silent, warn: (...line: unknown[]) => void warned.push(line) };
  const { host } = observers;
  const deps = await placed({ log, observers: host ? { host } : {} });
  const before = await mustLoad(deps, "cluster", "c1");
  const plane = newsOfKind("HostedCluster", {
    metadata: { name: "plane", labels: { [clusterLabel]: "c1" } },
  });
  const interfaces = [{ macAddress: macOf("s-00001") }];
  const agent = newsOfKind("Agent", {
    metadata: { name: "agent-1", resourceVersion: "999" },
    status: { debugInfo: { state: "insufficient", stateInfo: "" }, inventory: { interfaces } },
  });
  await takeReport(deps, sagas, { hub: "one", heartbeat: false, news: [plane, agent] });
  expect(warned).toEqual([
    [{ hub: "one", kind: "HostedCluster", name: "plane" }, "nobody observes objects of this kind"],
  ]);
  expect(await mustLoad(deps, "cluster", "c1")).toEqual(before);
  expect((await mustLoad(deps, "host", "s-00001")).status.agent).toMatchObject({
    name: "agent-1",
    state: "insufficient",
  });
});

describe("the observer of a test", () => {
  const heard = (cluster: Cluster): Cluster => ({
    ...cluster,
    observed: { ...cluster.observed, test: { began: "2026-01-01T00:00:00.000Z", passed: true } },
  });
  /** Agents named after a cluster. */
  const observer: Observing<"cluster"> = {
    observers: {
      Agent: {
        find: (_, { object }) => object.metadata.name,
        last: () => undefined,
        applied: (cluster, { deleted }) => (deleted ? undefined : heard(cluster)),
      },
    },
    hubOf: ({ placement }) => placement?.hub,
  };
  const absence: Absence<"cluster"> = {
    isMissing: (_, seen) => !seen.has("Agent/c1"),
    marked: heard,
  };
  /** How often the step was asked whether it is done. */
  let asked = 0;
  const until: Action<Cluster>["until"] = ({ observed }) => {
    asked += 1;
    return observed.test?.passed ? done : pending("a word of the hub");
  };
  const listening = saga<"cluster">("cluster-create", {
    comment: "a saga of a test",
    nodes: [
      step<Action<Cluster>>("Listen", { until, deadline: 60_000 }, { none: "it makes nothing" }),
      step<Action<Cluster>>("End", { deadline: 60_000 }, { none: "it makes nothing" }),
    ],
  });

  /** The cluster's operation waits in the first step, whose token is token-1. */
  async function waiting(): Promise<Waiting> {
    const deps = await placed({
      observers: { cluster: observer },
      absences: { cluster: absence },
    });
    const { operation = "" } = await mustLoad(deps, "cluster", "c1");
    const entry = { position: 0, state: "WAITING", attempts: 1, token: "token-1" } as const;
    await changeObject(deps, "operation", operation, ({ status, spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, saga: "toy" },
      status: { ...status, state: "RUNNING" },
      steps: { Listen: entry },
    }));
    deps.workflowCalls.length = 0;
    asked = 0;
    return deps;
  }
  const news = [newsOfKind("Agent", { metadata: { name: "c1" } })];

  it("changes its object, and wakes the object's operation", async () => {
    const deps = await waiting();
    await takeReport(deps, { toy: listening }, { hub: "one", heartbeat: false, news });
    expect((await mustLoad(deps, "cluster", "c1")).observed.test).toMatchObject({ passed: true });
    expect(deps.workflowCalls).toEqual([["succeed", "token-1"]]);
  });

  it("wakes it also when nothing changes, once for all reports in a message", async () => {
    const deps = await waiting();
    const gone = news.map((each) => ({ ...each, deleted: true }));
    const report = { hub: "one", heartbeat: false, news: [...gone, ...gone] };
    await takeReport(deps, { toy: listening }, report);
    expect(asked).toBe(1);
    expect(deps.workflowCalls).toEqual([]);
  });

  it("is not asked for what another hub says of the object", async () => {
    const deps = await waiting();
    await takeReport(deps, { toy: listening }, { hub: "two", heartbeat: false, news });
    expect((await mustLoad(deps, "cluster", "c1")).observed.test).toBeUndefined();
    expect(deps.workflowCalls).toEqual([]);
  });

  it("says what the lack of something means, which wakes the object's operation too", async () => {
    const deps = await waiting();
    deps.hubClients.set("one", { readAll: async () => [] });
    await sweepHub(deps, { toy: listening }, "one");
    expect((await mustLoad(deps, "cluster", "c1")).observed.test).toMatchObject({ passed: true });
    expect(deps.workflowCalls).toEqual([["succeed", "token-1"]]);
  });
});
