import { describe, expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { heartbeatKey } from "../../../core/kernel/object/hub-keys.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { clusterLabel, nodeSetLabel } from "../../../core/ports/hub/clusters/labels.ts";
import type { News } from "../../../core/ports/hub/news.ts";
import { observe as observeNews } from "../../../core/reconcile/observe.ts";
import { takeReport } from "../../../core/reconcile/report.ts";
import { sagas } from "../../../statemachines/index.ts";
import { newsOfKind } from "../../support/news.ts";
import { addHosts, addHub, heldBy, macOf, statesIn } from "../../support/placement.ts";
import { inLine, type Waiting, waitingDeps } from "../../support/waiting.ts";

/** Answers the id of the object whose operation waits for the news. */
const observe = async (...given: Parameters<typeof observeNews>) =>
  (await observeNews(...given))?.id;

/** A cluster on hub one, with a host; a hub two beside it. */
async function placed() {
  const deps = waitingDeps();
  for (const hub of ["one", "two"]) await addHub(deps, hub);
  await addHosts(deps, "one", "small", ["s-00001", "s-00002"]);
  const [order] = await inLine(deps, ["c1", { small: 1 }]);
  const [held = ""] = await heldBy(deps, order);
  return { deps, order, held, free: held === "s-00001" ? "s-00002" : "s-00001" };
}

const plane = (version: number, available: boolean, more = {}): News =>
  newsOfKind("HostedCluster", {
    metadata: { resourceVersion: String(version), labels: { [clusterLabel]: "c1" } },
    status: { conditions: [{ type: "Available", status: available ? "True" : "False" }] },
    ...more,
  });

const pool = (version: number, replicas: number): News =>
  newsOfKind("NodePool", {
    metadata: {
      resourceVersion: String(version),
      labels: { [clusterLabel]: "c1", [nodeSetLabel]: "small" },
    },
    spec: { replicas },
    status: { replicas },
  });

const agent = (host: string, version: number, state = "known-unbound", deleted = false): News =>
  newsOfKind("Agent", {
    metadata: { name: `agent-${host}`, uid: host, resourceVersion: String(version) },
    status: {
      debugInfo: { state, stateInfo: "" },
      inventory: { interfaces: [{ macAddress: macOf(host).toUpperCase() }] },
    },
    deleted,
  });

const observedOf = async (deps: Waiting) => (await mustLoad(deps, "cluster", "c1")).observed;

describe("of a cluster", () => {
  it("late news loses, of control plane and node pools", async () => {
    const { deps } = await placed();
    for (const news of [plane(20, true), plane(19, false), pool(22, 3), pool(9, 1)])
      expect(await observe(deps, "one", news)).toBe("c1");
    const { control_plane, node_pools } = await observedOf(deps);
    expect(control_plane).toMatchObject({ available: true, resource_version: "20" });
    expect(node_pools.small).toMatchObject({ desired: 3, resource_version: "22" });
  });

  it("repeated news writes nothing", async () => {
    const { deps } = await placed();
    await observe(deps, "one", plane(20, true));
    const { revision } = await mustLoad(deps, "cluster", "c1");
    await deps.clock.advance(1000);
    await observe(deps, "one", plane(20, true));
    await observe(deps, "one", plane(20, true), deps.clock.now());
    expect((await mustLoad(deps, "cluster", "c1")).revision).toBe(revision);
  });

  it("a deletion wins over news of the same version", async () => {
    const { deps } = await placed();
    await observe(deps, "one", plane(20, true));
    await observe(deps, "one", plane(20, true, { deleted: true }));
    expect((await observedOf(deps)).control_plane).toMatchObject({ gone: true });
    await observe(deps, "one", plane(20, true));
    expect((await observedOf(deps)).control_plane).toMatchObject({ gone: true });
  });

  it("another hub's word counts for nothing", async () => {
    const { deps } = await placed();
    await observe(deps, "one", plane(20, true));
    expect(await observe(deps, "two", plane(99, false))).toBeUndefined();
    expect(await observe(deps, "two", plane(99, false), deps.clock.now())).toBeUndefined();
    expect((await observedOf(deps)).control_plane).toMatchObject({ available: true });
  });

  it("news of no cluster of ours is left alone", async () => {
    const { deps } = await placed();
    const stranger = newsOfKind("HostedCluster", {
      metadata: { labels: { [clusterLabel]: "c9" } },
    });
    for (const news of [stranger, newsOfKind("HostedCluster"), newsOfKind("NodePool")])
      expect(await observe(deps, "one", news)).toBeUndefined();
  });

  it("a direct read wins over what was known before it, even with a lower version", async () => {
    const { deps } = await placed();
    await observe(deps, "one", plane(20, true));
    await deps.clock.advance(1000);
    // The hub was restored from a backup.
    await observe(deps, "one", plane(3, false), deps.clock.now());
    expect((await observedOf(deps)).control_plane).toMatchObject({ resource_version: "3" });
  });

  it("a direct read loses to news that came in while it was under way", async () => {
    const { deps } = await placed();
    await observe(deps, "one", plane(19, false));
    const readAt = deps.clock.now();
    await deps.clock.advance(1000);
    await observe(deps, "one", plane(20, true));
    await observe(deps, "one", plane(19, false), readAt);
    expect((await observedOf(deps)).control_plane).toMatchObject({ available: true });
  });
});

describe("of a host", () => {
  const agentOf = async (deps: Waiting, host: string) =>
    (await mustLoad(deps, "host", host)).status.agent;

  it("its agent is known by its MAC address, in any case of letters", async () => {
    const { deps, free } = await placed();
    await observe(deps, "one", agent(free, 20, "insufficient"));
    expect(await agentOf(deps, free)).toMatchObject({ hub: "one", state: "insufficient" });
    expect(await statesIn(deps.store, "one", "small")).toEqual({ held: 1, out: 1 });
  });

  it("late and repeated news changes neither host nor pool", async () => {
    const { deps, free } = await placed();
    await observe(deps, "one", agent(free, 20, "insufficient"));
    await observe(deps, "one", agent(free, 19));
    await observe(deps, "one", agent(free, 20, "insufficient"));
    expect(await agentOf(deps, free)).toMatchObject({ resource_version: "20" });
    expect(await statesIn(deps.store, "one", "small")).toEqual({ held: 1, out: 1 });
  });

  it("another hub cannot say that it is gone, or there", async () => {
    const { deps, free } = await placed();
    await observe(deps, "two", agent(free, 99, "known-unbound", true));
    expect(await agentOf(deps, free)).toMatchObject({ gone: false });
    await observe(deps, "one", agent(free, 20, "known-unbound", true));
    await observe(deps, "two", agent(free, 99));
    expect(await agentOf(deps, free)).toMatchObject({ gone: true });
    expect(await statesIn(deps.store, "one", "small")).toEqual({ held: 1, out: 1 });
  });

  it("an agent that is gone takes its host out of the pool; one that is back brings it back", async () => {
    const { deps, free } = await placed();
    await observe(deps, "one", agent(free, 20, "known-unbound", true));
    expect(await statesIn(deps.store, "one", "small")).toEqual({ held: 1, out: 1 });
    await observe(deps, "one", agent(free, 30));
    expect(await statesIn(deps.store, "one", "small")).toEqual({ held: 1, free: 1 });
  });

  it("a held host is its cluster's, whatever its agent reports, and news of it wakes that cluster", async () => {
    const { deps, held } = await placed();
    for (const news of [agent(held, 20), agent(held, 21, "known-unbound", true), agent(held, 30)]) {
      expect(await observe(deps, "one", news)).toBe("c1");
      expect(await statesIn(deps.store, "one", "small")).toEqual({ held: 1, free: 1 });
    }
  });

  it("a host that has moved starts anew with its new hub's versions", async () => {
    const { deps } = await placed();
    await addHosts(deps, "two", "small", ["m-00001"]);
    await observe(deps, "two", agent("m-00001", 500));
    await changeObject(deps, "host", "m-00001", (host) => ({
      ...host,
      spec: { ...host.spec, hub: "one" },
    }));
    await observe(deps, "one", agent("m-00001", 7));
    expect(await agentOf(deps, "m-00001")).toMatchObject({ hub: "one", resource_version: "7" });
  });
});

it("a heartbeat of a hub that is not registered leaves no trace", async () => {
  const deps = waitingDeps();
  await takeReport(deps, sagas, { hub: "stranger", heartbeat: true, news: [] });
  expect(await deps.store.get(heartbeatKey("stranger"))).toBeUndefined();
});
