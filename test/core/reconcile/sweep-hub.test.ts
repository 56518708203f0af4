import { describe, expect, it } from "vitest";
import { timestamp, timeText } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { asOperationId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { hubsWithPartition, sweepKey } from "../../../core/kernel/object/hub-keys.ts";
import { macKey } from "../../../core/kernel/object/keys.ts";
import { mustLoad, putNew } from "../../../core/kernel/object/records.ts";
import { edit } from "../../../core/kernel/saga/settle.ts";
import type { Write } from "../../../core/kernel/store/store.ts";
import { withdrawHost } from "../../../core/placement/pool/entries.ts";
import { clusterLabel, nodeSetLabel } from "../../../core/ports/hub/clusters/labels.ts";
import type { News } from "../../../core/ports/hub/news.ts";
import type { NewsKind } from "../../../core/ports/hub/reported-kinds.ts";
import { sweptFrom } from "../../../core/ports/sweep-times.ts";
import { observe } from "../../../core/reconcile/observe.ts";
import { withoutRepeated } from "../../../core/reconcile/repeated.ts";
import { takeReport } from "../../../core/reconcile/report.ts";
import { sweepAskedHubs, sweepHub, sweepHubs } from "../../../core/reconcile/sweep-hub.ts";
import { sagas } from "../../../statemachines/index.ts";
import { counting } from "../../support/counting-store.ts";
import { newsOfKind } from "../../support/news.ts";
import {
  addHosts,
  addHub,
  freeEntry,
  heldBy,
  hostRecord,
  hostsNamed,
  macOf,
  placementOf,
  reserveFor,
  statesIn,
} from "../../support/placement.ts";
import { inLine, setHost, setHub, type Waiting, waitingDeps } from "../../support/waiting.ts";

const minute = 60_000;

const stateOf = async (deps: Waiting, hub: string) =>
  (await mustLoad(deps, "hub", hub)).status.state;

/** Has a hub answer with these objects, or throw. */
function answering(deps: Waiting, hub: string, answer: () => News[]): void {
  const read = async () => answer().filter(({ kind }) => kind !== "Agent");
  deps.hubClients.set(hub, { readAll: async () => answer(), clusters: { read } });
}

/** Has a hub's time come to be swept. */
const setDue = (deps: Waiting, id: string) =>
  deps.store.transact([sweptFrom("objects", { kind: "hub", id }, deps.clock.now())]);

const away = (): never => {
  throw new AppError("Unavailable", "the hub does not answer");
};

const report = (deps: Waiting) =>
  takeReport(deps, sagas, { hub: "hub", heartbeat: true, news: [] });

describe("a hub that cannot be asked", () => {
  it("is UNREACHABLE after two looks, though its agent reports, until it is reached", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub");
    answering(deps, "hub", () => []);
    await report(deps);
    await sweepHub(deps, sagas, "hub");
    const since = timestamp(deps.clock.now());
    answering(deps, "hub", away);
    await sweepHub(deps, sagas, "hub");
    expect(await stateOf(deps, "hub")).toBe("HUB_STATE_READY");
    await deps.clock.advance(minute);
    await report(deps);
    // It asked for this look itself.
    await sweepAskedHubs(deps, sagas);
    const message = `Slipway has not reached it since ${timeText(since)}: the hub does not answer`;
    const status = { state: "HUB_STATE_UNREACHABLE", message };
    expect((await mustLoad(deps, "hub", "hub")).status).toMatchObject({
      ...status,
      conditions: [
        { type: "HUB_CONDITION_TYPE_HEARD", status: "CONDITION_STATUS_TRUE", reason: "Reports" },
        {
          type: "HUB_CONDITION_TYPE_REACHED",
          status: "CONDITION_STATUS_FALSE",
          reason: "NotReached",
          message,
        },
      ],
    });
    await report(deps);
    expect((await mustLoad(deps, "hub", "hub")).status).toMatchObject(status);

    answering(deps, "hub", () => []);
    await sweepAskedHubs(deps, sagas);
    expect(await stateOf(deps, "hub")).toBe("HUB_STATE_READY");
    expect((await mustLoad(deps, "hub", "hub")).status.message).toBeUndefined();
  });

  it("and refuses what it is asked is not reached either, and says so", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub");
    answering(deps, "hub", () => {
      throw new AppError("Rejected", "agents are forbidden");
    });
    for (let n = 0; n < 2; n++)
      await expect(sweepHub(deps, sagas, "hub")).rejects.toThrow("agents are forbidden");
    const { conditions } = (await mustLoad(deps, "hub", "hub")).status;
    expect(conditions).toContainEqual(
      expect.objectContaining({
        reason: "Refused",
        message: expect.stringContaining("agents are forbidden"),
      }),
    );
  });

  it("once is as good as one that was never away", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub");
    for (const answer of [away, () => [], away]) {
      answering(deps, "hub", answer);
      await sweepHub(deps, sagas, "hub");
    }
    expect(await stateOf(deps, "hub")).toBe("HUB_STATE_READY");
  });

  it("and is silent is UNREACHABLE at once; reached and silent, too", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub");
    answering(deps, "hub", away);
    const since = timestamp(deps.clock.now());
    await deps.clock.advance(9 * minute);
    await sweepHub(deps, sagas, "hub");
    expect(await stateOf(deps, "hub")).toBe("HUB_STATE_READY");
    await deps.clock.advance(2 * minute);
    answering(deps, "hub", () => []);
    await sweepHub(deps, sagas, "hub");
    expect((await mustLoad(deps, "hub", "hub")).status).toMatchObject({
      state: "HUB_STATE_UNREACHABLE",
      message: `its agent has not reported since ${timeText(since)}`,
    });
    await report(deps);
    expect(await stateOf(deps, "hub")).toBe("HUB_STATE_READY");
  });

  it("gets no orders; who waits for it says so, and is told when it is reached again", async () => {
    const deps = waitingDeps();
    for (const [hub, host] of [
      ["hub", "s-00001"],
      ["other", "s-00002"],
    ] as const) {
      await addHub(deps, hub);
      await addHosts(deps, hub, "small", [host]);
      answering(deps, hub, hub === "hub" ? away : () => [agent(host, "1")]);
      for (let n = 0; n < 2; n++) await sweepHub(deps, sagas, hub);
    }
    const [elsewhere] = await inLine(deps, ["c1", { small: 1 }]);
    expect(await placementOf(deps, elsewhere)).toMatchObject({
      hub: "other",
      rejected: [{ hub: "hub", reason: "cannot be reached" }],
    });

    await setHub(deps, "other", { cordoned: true });
    const [waiting] = await inLine(deps, ["c2", { small: 1 }]);
    expect(await reserveFor(deps, waiting)).toMatchObject({
      placed: false,
      waitingFor:
        "a hub (position 1 in the queue; one hub: cannot be reached; one hub: is cordoned)",
    });
    await deps.relayed();
    answering(deps, "hub", () => [agent("s-00001", "1")]);
    await sweepAskedHubs(deps, sagas);
    expect(await deps.relayed()).toEqual([waiting.operation]);
    expect(await reserveFor(deps, waiting)).toMatchObject({ placed: true });
  });

  it.each(["Unavailable", "Rejected", "Internal"] as const)(
    "(%s) does not keep the others from being swept",
    async (kind) => {
      const deps = waitingDeps();
      for (const hub of ["a", "b", "c"]) await addHub(deps, hub);
      let swept = 0;
      for (const hub of ["a", "c"]) {
        answering(deps, hub, () => {
          swept += 1;
          return [];
        });
      }
      answering(deps, "b", () => {
        throw new AppError(kind, "no");
      });
      for (let n = 0; n < 2; n++) {
        for (const id of ["a", "b", "c"]) await setDue(deps, id);
        await sweepHubs(deps, sagas);
      }
      expect(swept).toBe(4);
      expect(await stateOf(deps, "b")).toBe("HUB_STATE_UNREACHABLE");
    },
  );
});

const part = (kind: NewsKind, name: string, labels: Record<string, string>, version = "10"): News =>
  newsOfKind(kind, {
    metadata: { name, resourceVersion: version, labels: { [clusterLabel]: "c1", ...labels } },
    spec: { replicas: 1 },
    status: { replicas: 1, conditions: [{ type: "Available", status: "True" }] },
  });

const agent = (host: string, version: string): News =>
  newsOfKind("Agent", {
    metadata: { name: `agent-${host}`, uid: host, resourceVersion: version },
    status: {
      debugInfo: { state: "known-unbound", stateInfo: "" },
      inventory: { interfaces: [{ macAddress: macOf(host) }] },
    },
  });

/** A cluster and a free host on a hub, all of it observed; `there` is what the hub has now. */
async function observedWorld() {
  const deps = waitingDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", ["s-00001", "s-00002"]);
  const [order] = await inLine(deps, ["c1", { small: 1 }]);
  const [held = ""] = await heldBy(deps, order);
  const free = held === "s-00001" ? "s-00002" : "s-00001";
  const { infra_id } = await mustLoad(deps, "cluster", "c1");
  const objects = {
    plane: part("HostedCluster", infra_id, {}),
    pool: part("NodePool", `${infra_id}-small`, { [nodeSetLabel]: "small" }),
    held: agent(held, "10"),
    free: agent(free, "10"),
  };
  for (const news of Object.values(objects)) await observe(deps, "hub", news);
  await deps.clock.advance(minute);
  const there = new Map(Object.entries(objects));
  answering(deps, "hub", () => [...there.values()]);
  return { deps, there, held, free };
}

describe("what was deleted while nobody watched", () => {
  it("a hosted cluster", async () => {
    const { deps, there } = await observedWorld();
    there.delete("plane");
    await sweepHub(deps, sagas, "hub");
    const { observed, status } = await mustLoad(deps, "cluster", "c1");
    expect(observed.control_plane).toMatchObject({ gone: true });
    expect(observed.node_pools.small).toMatchObject({ gone: false });
    const available = status.conditions.find(({ type }) => type.endsWith("CLUSTER_AVAILABLE"));
    expect(available).toMatchObject({ status: "CONDITION_STATUS_FALSE" });
  });

  it("a node pool", async () => {
    const { deps, there } = await observedWorld();
    there.delete("pool");
    await sweepHub(deps, sagas, "hub");
    const { observed, status } = await mustLoad(deps, "cluster", "c1");
    expect(observed.node_pools.small).toMatchObject({ gone: true });
    expect(observed.control_plane).toMatchObject({ gone: false });
    expect(status.node_sets.small).toMatchObject({ size: 0, ready: 0 });
  });

  it("the agent of a free host: nobody can take it any more", async () => {
    const { deps, there, free } = await observedWorld();
    there.delete("free");
    await sweepHub(deps, sagas, "hub");
    const { agent: seen } = (await mustLoad(deps, "host", free)).status;
    expect(seen).toMatchObject({ gone: true });
    expect(await statesIn(deps.store, "hub", "small")).toEqual({ held: 1, out: 1 });
  });

  it("the agent of a held host: it stays with its cluster", async () => {
    const { deps, there, held } = await observedWorld();
    there.delete("held");
    await sweepHub(deps, sagas, "hub");
    const { agent: seen } = (await mustLoad(deps, "host", held)).status;
    expect(seen).toMatchObject({ gone: true });
    expect(await statesIn(deps.store, "hub", "small")).toEqual({ held: 1, free: 1 });
  });
});

it("a step is woken again whose last news was written down by somebody who woke nobody", async () => {
  const { deps, there } = await observedWorld();
  const { operation = "" } = await mustLoad(deps, "cluster", "c1");
  const since = timestamp(deps.clock.now());
  await edit(deps, asOperationId(operation), (current) => ({
    ...current,
    spec: { ...current.spec, saga: "cluster-delete", change: "DELETE" },
    steps: {
      "Undo DeployControlPlane": {
        position: 0,
        attempts: 1,
        state: "WAITING",
        waiting_since: since,
      },
    },
  }));
  there.clear();
  await sweepHub(deps, sagas, "hub");
  expect((await mustLoad(deps, "cluster", "c1")).observed.control_plane).toMatchObject({
    gone: true,
  });
  // The request for a look is lost.
  deps.looked.length = 0;
  await sweepHub(deps, sagas, "hub");
  expect(deps.looked).toEqual([operation]);
});

it("what came up while the hub was read is not taken for gone", async () => {
  const { deps, free } = await observedWorld();
  const readAll = async () => {
    await deps.clock.advance(1000);
    await observe(deps, "hub", agent(free, "50"));
    return [];
  };
  deps.hubClients.set("hub", { readAll, clusters: { read: async () => [] } });
  await sweepHub(deps, sagas, "hub");
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ held: 1, free: 1 });
});

it("a sweep that sees nothing new writes nothing but when the next is due", async () => {
  const { deps } = await observedWorld();
  await deps.relayed();
  await sweepHub(deps, sagas, "hub");
  await sweepHub(deps, sagas, "hub");
  const written = deps.store.stream(undefined, 10_000).length;
  await deps.clock.advance(5 * minute);
  await sweepHub(deps, sagas, "hub");
  const since = deps.store.stream(undefined, 10_000).slice(written);
  expect(since.map(({ key }) => key)).toEqual([sweepKey("objects", "hub", "hub")]);
});

describe("a hub at rest", () => {
  /** A hub with free hosts, all of them observed. */
  async function atRest(hosts: number) {
    const deps = waitingDeps();
    await addHub(deps, "hub");
    const ids = hostsNamed("s", hosts);
    await addHosts(deps, "hub", "small", ids);
    answering(deps, "hub", () => ids.map((id) => agent(id, "10")));
    await sweepHub(deps, sagas, "hub");
    await deps.relayed();
    const { counted, calls } = counting(deps.store);
    return { deps: { ...deps, store: counted }, stored: deps, calls };
  }

  it("costs as many calls with forty hosts as with four", async () => {
    const cost = async (hosts: number) => {
      const { deps, calls } = await atRest(hosts);
      await sweepHub(deps, sagas, "hub");
      return calls;
    };
    const [few, many] = [await cost(4), await cost(40)];
    expect({ ...many, read: 0 }).toEqual({ ...few, read: 0 });
    // An entry of the pool and a record of each, and nothing else.
    expect(many.read - few.read).toBe(2 * (40 - 4));
  });

  it("gets a host back into the pool that a report, cut off, left out of it", async () => {
    const { deps, stored } = await atRest(2);
    const place = { hub: "hub", hostType: "small" };
    await stored.store.transact(withdrawHost(place, "s-00001", freeEntry));
    await sweepHub(deps, sagas, "hub");
    expect(await statesIn(stored.store, "hub", "small")).toEqual({ free: 2 });
  });

  it("takes what says more than its records, and all that an operation may wait for", async () => {
    const { deps, there, held, free } = await observedWorld();
    const told = async () => {
      const onHub = [
        await mustLoad(deps, "cluster", "c1"),
        await mustLoad(deps, "host", held),
        await mustLoad(deps, "host", free),
      ];
      const taken = new Set(await withoutRepeated(deps, onHub, [...there.values()]));
      return [...there].flatMap(([name, news]) => (taken.has(news) ? [name] : []));
    };
    expect(await told()).toEqual(["plane", "pool", "held"]);
    await changeObject(deps, "cluster", "c1", ({ operation: _, ...cluster }) => cluster);
    expect(await told()).toEqual([]);
    there.set("free", agent(free, "11"));
    there.set("unknown", agent("s-00009", "1"));
    expect(await told()).toEqual(["free", "unknown"]);
  });
});

describe("a host that is registered after its agent reported", () => {
  /** Two hubs; `swept` are those that were read, in order. */
  async function reported() {
    const deps = waitingDeps();
    const swept: string[] = [];
    for (const hub of ["one", "two"]) {
      await addHub(deps, hub);
      answering(deps, hub, () => {
        swept.push(hub);
        return hub === "one" ? [agent("s-00001", "10")] : [agent("s-00002", "10")];
      });
    }
    await deps.relayed();
    // A new hub is looked at.
    await sweepAskedHubs(deps, sagas);
    swept.length = 0;
    const undiscovered = (id: string, hub: string): Write[] => {
      const host = hostRecord(id, hub, "small");
      return [
        ...putNew(deps.kinds, { ...host, status: { state: "HOST_STATE_UNDISCOVERED" } }),
        { put: { ...macKey(macOf(id)), host: id } },
      ];
    };
    const stateOfHost = async (id: string) => (await mustLoad(deps, "host", id)).status.state;
    return { deps, swept, undiscovered, stateOfHost };
  }

  it("is discovered by a look at its hub alone, one however many there are", async () => {
    const { deps, swept, undiscovered, stateOfHost } = await reported();
    for (const id of ["s-00001", "s-00003", "s-00004"])
      await deps.store.transact(undiscovered(id, "one"));
    await deps.relayed();
    await sweepAskedHubs(deps, sagas);
    await sweepAskedHubs(deps, sagas);
    expect(swept).toEqual(["one"]);
    expect(await stateOfHost("s-00001")).toBe("HOST_STATE_AVAILABLE");
    expect(await stateOfHost("s-00003")).toBe("HOST_STATE_UNDISCOVERED");
  });

  it.each([
    ["moves to the hub that has seen it", { hub: "two" }, "s-00002"],
    [
      "gets the MAC address of the agent",
      { nics: [{ name: "eno1", mac: macOf("s-00001"), switch: "leaf", port: "1" }] },
      "s-00001",
    ],
  ])("is found when it %s", async (_, spec, agentOf) => {
    const { deps, swept, undiscovered, stateOfHost } = await reported();
    const [id, hub] = ["s-00002", "one"];
    await deps.store.transact(undiscovered(id, hub));
    await deps.relayed();
    await sweepAskedHubs(deps, sagas);
    expect(await stateOfHost(id)).toBe("HOST_STATE_UNDISCOVERED");
    await setHost(deps, id, spec);
    await deps.store.transact([{ put: { ...macKey(macOf(agentOf)), host: id } }]);
    await deps.relayed();
    await sweepAskedHubs(deps, sagas);
    expect(await stateOfHost(id)).toBe("HOST_STATE_AVAILABLE");
    expect(swept).toHaveLength(2);
  });

  it("asks for no look when anything else of it changes", async () => {
    const { deps, swept, undiscovered } = await reported();
    await deps.store.transact(undiscovered("s-00001", "one"));
    await deps.relayed();
    await sweepAskedHubs(deps, sagas);
    await setHost(deps, "s-00001", { bmc: { address: "redfish://10.0.0.9/redfish/v1/Systems/1" } });
    await deps.relayed();
    await sweepAskedHubs(deps, sagas);
    expect(swept).toEqual(["one"]);
  });

  it("of a hub that cannot be asked waits for the hub's turn", async () => {
    const { deps, undiscovered, stateOfHost } = await reported();
    answering(deps, "one", away);
    await deps.store.transact(undiscovered("s-00001", "one"));
    await deps.relayed();
    await sweepAskedHubs(deps, sagas);
    answering(deps, "one", () => [agent("s-00001", "10")]);
    await sweepHubs(deps, sagas);
    expect(await stateOfHost("s-00001")).toBe("HOST_STATE_AVAILABLE");
  });
});

it("a sweep lists the room of a hub again whose change the relay has lost", async () => {
  const deps = waitingDeps();
  await addHub(deps, "hub");
  answering(deps, "hub", () => []);
  await sweepHub(deps, sagas, "hub");
  const listed = await deps.store.query({ pk: hubsWithPartition("*", "*", "eu") });
  expect(listed.items).toMatchObject([{ hub: "hub" }]);
});
