import { describe, expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { hubPartition, indexKeys } from "../../../core/kernel/object/keys.ts";
import type { KindDefinition } from "../../../core/kernel/object/kind.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { done, pending, step } from "../../../core/kernel/saga/saga.ts";
import { silent } from "../../../core/log.ts";
import type { Absence } from "../../../core/ports/hub/absence.ts";
import { clusterLabel } from "../../../core/ports/hub/clusters/labels.ts";
import type { Observing } from "../../../core/ports/hub/observer.ts";
import { newsKinds } from "../../../core/ports/hub/reported-kinds.ts";
import { takeReport } from "../../../core/reconcile/report.ts";
import { sweepHub } from "../../../core/reconcile/sweep-hub.ts";
import { absences } from "../../../core/resources/generated/absences.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { meanings } from "../../../core/resources/generated/meanings.ts";
import { observers } from "../../../core/resources/generated/observers.ts";
import { sagas } from "../../../statemachines/index.ts";
import { newsOfKind } from "../../support/news.ts";
import { addHosts, addHub, macOf } from "../../support/placement.ts";
import { kind, operating } from "../../support/toy/kind.ts";
import { type ToyAction, toySaga } from "../../support/toy/laptop.ts";
import type { Toy } from "../../support/toy/model.ts";
import { orderToy, toyId } from "../../support/toy/orders.ts";
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
    [{ hub: "one", kind: "HostedCluster", name: "plane" }, "no observer for objects of this kind"],
  ]);
  expect(await mustLoad(deps, "cluster", "c1")).toEqual(before);
  expect((await mustLoad(deps, "host", "s-00001")).status.agent).toMatchObject({
    name: "agent-1",
    state: "insufficient",
  });
});

describe("a kind that the product lacks, which a hub reports,", () => {
  const painted = (toy: Toy): Toy => ({ ...toy, coat: { colour: "red", isDry: true } });
  /** Agents named after a toy; hub one speaks for all toys. */
  const observer: Observing<"toy"> = {
    observers: {
      Agent: {
        find: (_, { object }) => object.metadata.name,
        last: () => undefined,
        applied: (toy, { deleted }) => (deleted ? undefined : painted(toy)),
      },
    },
    hubOf: () => "one",
  };
  const absence: Absence<"toy"> = {
    isMissing: ({ id }, seen) => !seen.has(`Agent/${id}`),
    marked: painted,
  };
  const onHub: KindDefinition<"toy"> = {
    ...kind,
    stored: { indexes: ({ id }) => ({ g3pk: hubPartition("one", "toy"), g3sk: id }) },
  };
  /** How often the step was asked whether it is done. */
  let asked = 0;
  const until: ToyAction["until"] = ({ coat }) => {
    asked += 1;
    return coat ? done : pending("paint");
  };
  const toySagas = {
    toy: toySaga([
      step<ToyAction>("Listen", { until, deadline: 60_000 }, { none: "it makes nothing" }),
      step<ToyAction>("End", { deadline: 60_000 }, { none: "it makes nothing" }),
    ]),
  };

  /** The toy's operation waits in the first step, whose token is token-1. */
  async function waiting(): Promise<Waiting> {
    const deps = waitingDeps({
      kinds: { ...kinds, toy: onHub },
      operated: { toy: operating },
      observers: { toy: observer },
      absences: { toy: absence },
    });
    for (const hub of ["one", "two"]) await addHub(deps, hub);
    const operation = await orderToy(deps, "toy");
    const entry = { position: 0, state: "WAITING", attempts: 1, token: "token-1" } as const;
    await changeObject(deps, "operation", operation, ({ status, ...rest }) => ({
      ...rest,
      status: { ...status, state: "RUNNING" },
      steps: { Listen: entry },
    }));
    asked = 0;
    return deps;
  }
  const coatOf = async (deps: Waiting) => (await mustLoad(deps, "toy", toyId)).coat;
  const news = [newsOfKind("Agent", { metadata: { name: toyId } })];

  it("is changed by the report, which wakes its operation", async () => {
    const deps = await waiting();
    await takeReport(deps, toySagas, { hub: "one", heartbeat: false, news });
    expect(await coatOf(deps)).toMatchObject({ colour: "red" });
    expect(deps.workflowCalls).toEqual([["succeed", "token-1"]]);
  });

  it("has its operation woken also by reports that change nothing, once for all in a message", async () => {
    const deps = await waiting();
    const gone = news.map((each) => ({ ...each, deleted: true }));
    const report = { hub: "one", heartbeat: false, news: [...gone, ...gone] };
    await takeReport(deps, toySagas, report);
    expect(asked).toBe(1);
    expect(deps.workflowCalls).toEqual([]);
  });

  it("does not hear another hub", async () => {
    const deps = await waiting();
    await takeReport(deps, toySagas, { hub: "two", heartbeat: false, news });
    expect(await coatOf(deps)).toBeUndefined();
    expect(deps.workflowCalls).toEqual([]);
  });

  it("is told by the sweep what its hub lacks, which wakes its operation too", async () => {
    const deps = await waiting();
    deps.hubClients.set("one", { readAll: async () => [] });
    await sweepHub(deps, toySagas, "one");
    expect(await coatOf(deps)).toMatchObject({ colour: "red" });
    expect(deps.workflowCalls).toContainEqual(["succeed", "token-1"]);
  });

  it("is read again before it counts as gone, if it says how", async () => {
    const deps = await waiting();
    const read = async () => news;
    const again = { ...absence, marked: () => undefined, read };
    deps.hubClients.set("one", { readAll: async () => [] });
    await sweepHub({ ...deps, absences: { toy: again } }, toySagas, "one");
    expect(await coatOf(deps)).toMatchObject({ colour: "red" });
    expect(deps.workflowCalls).toContainEqual(["succeed", "token-1"]);
  });
});
