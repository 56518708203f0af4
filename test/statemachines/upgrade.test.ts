import { beforeEach, describe, expect, it } from "vitest";
import { endedUnseen, halt } from "../../core/kernel/saga/halt.ts";
import { sagas } from "../../statemachines/index.ts";
import { wrongInBooks } from "../support/books.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site, Wire } from "../support/site.ts";

/** Clusters go to another version, through the saga and the simulated hubs. */

const minute = 60_000;
const target = { spec: { version: "4-18-1" } };

let site: Site;
let id: string;

/** A cluster at 4.17.3, with the node sets infra (1) and workers (2). */
async function readyCluster(site: Site): Promise<string> {
  await site.admin("POST", "cluster_templates", {
    id: "two",
    metadata: { name: "two" },
    node_sets: {
      workers: { host_type: "fc430", size: 2 },
      infra: { host_type: "fc430", size: 1 },
    },
  });
  const id = await site.order("c1", { template: "two" });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

beforeEach(async () => {
  ({ site, brought: id } = await siteAfter(readyCluster));
  site.calls.length = 0;
});

const upgrade = () => site.api("PATCH", `clusters/${id}`, target);
const running = async (): Promise<Wire> =>
  (await site.api("GET", "operations")).body.items.findLast(
    (item: Wire) => item.spec.target.id === id,
  );
const cancel = async () =>
  expect((await site.api("POST", `operations/${(await running()).id}/cancel`)).status).toBe(200);
const retry = async () => {
  expect((await site.api("POST", `clusters/${id}/retry`)).status).toBe(200);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
};

/** Until the cluster's status says that the upgrade is there, or its first wait has such words. */
const until = (state: string, words = /./) =>
  site.laptop.until(async () => {
    const { status } = await site.cluster(id);
    return status.upgrade?.state === state && words.test(status.waiting[0]?.message ?? "");
  }, `${state} ${words}`);

/** An object that the hub has of the cluster. */
const onHub = (kind: string): Wire[] =>
  site.world.hubs().flatMap(({ cluster }) => cluster.list(kind) as Wire[]);
const asked = (): Record<string, string> =>
  Object.fromEntries(
    [...onHub("HostedCluster"), ...onHub("NodePool")].map(({ kind, metadata, spec }) => [
      metadata.labels["slipway.dev/node-set"] ?? kind,
      /:(.*)-multi$/.exec(spec.release.image)?.[1] ?? "",
    ]),
  );
/** Releases that the hub was told of, in order. */
const told = () =>
  site.calls.flatMap((call) => {
    const [, plural = "", name = ""] =
      /^PATCH .*\/(hostedclusters|nodepools)\/(.*)$/.exec(call) ?? [];
    return plural ? [plural === "nodepools" ? name.replace(/^[^-]*-/, "") : "control plane"] : [];
  });

/** The version control of the hosted cluster, which a test can hold or fix. */
function annotate(annotations: Record<string, string>): void {
  for (const hub of site.world.hubs()) {
    for (const namespace of hub.hosted.list()) {
      hub.hosted
        .get(namespace)
        ?.cluster.mutate("ClusterVersion", undefined, "version", (object) => ({
          ...object,
          metadata: { ...object.metadata, annotations },
        }));
    }
  }
}

async function expectAt(versions: { version: string; infra: string; workers: string }) {
  const { version, infra, workers } = versions;
  const { spec, status } = await site.cluster(id);
  expect(status.state).toBe("CLUSTER_STATE_READY");
  expect(status.version).toBe(version);
  expect(status.node_sets).toMatchObject({
    infra: { size: 1, ready: 1, version: infra },
    workers: { size: 2, ready: 2, version: workers },
  });
  expect(spec.version.name).toBe(version.replaceAll(".", "-"));
  expect(asked()).toEqual({ HostedCluster: version, infra, workers });
  expect(await wrongInBooks(site)).toEqual([]);
  return status;
}

/** What the cluster's events since the upgrade began have said of its API, each once. */
async function availability(): Promise<string[]> {
  const { items } = (await site.api("GET", `clusters/${id}/history?limit=1000`)).body;
  const since = items.filter(({ data }: Wire) => data.object.spec.version.name === "4-18-1");
  // Every turn of a condition is told; other words of the same are not.
  expect(since.length).toBeGreaterThan(10);
  const said = since.flatMap(({ data }: Wire) =>
    data.object.status.conditions
      .filter(({ type }: Wire) => type === "CLUSTER_CONDITION_TYPE_CLUSTER_AVAILABLE")
      .map(({ status }: Wire) => status),
  );
  return [...new Set<string>(said)];
}

const before = { version: "4.17.3", infra: "4.17.3", workers: "4.17.3" };
const after = { version: "4.18.1", infra: "4.18.1", workers: "4.18.1" };

describe("an upgrade", () => {
  it("takes the control plane first, then one node set after the other, and says so", {
    tags: "smoke",
  }, async () => {
    const { status, body, headers } = await upgrade();
    expect(status).toBe(200);
    expect(headers.get("Operation-Location")).toContain(body.status.operation);
    expect(body.spec.version.name).toBe("4-18-1");
    expect(body.status).toMatchObject({
      version: "4.17.3",
      upgrade: {
        from: "4.17.3",
        to: "4.18.1",
        state: "CHECKS",
        node_sets_behind: ["infra", "workers"],
      },
    });

    await until("CONTROL_PLANE", /Working towards 4\.18\.1: [1-9]/);
    expect(told()).toEqual(["control plane"]);
    const [progressing] = (await site.cluster(id)).status.conditions;
    expect(progressing).toMatchObject({ status: "CONDITION_STATUS_TRUE", reason: "Upgrading" });
    expect(progressing.message).toMatch(
      /^from 4\.17\.3 to 4\.18\.1: control plane, Working towards/,
    );

    await until("NODE_SETS", /^node set infra to arrive at 4\.18\.1, and after it workers: /);
    expect(asked()).toEqual({ HostedCluster: "4.18.1", infra: "4.18.1", workers: "4.17.3" });
    expect((await site.cluster(id)).status).toMatchObject({
      version: "4.18.1",
      upgrade: { node_sets_behind: ["infra", "workers"] },
    });

    await until("NODE_SETS", /^node set workers to arrive at 4\.18\.1: .*Upgraded: 1$/);
    expect((await site.cluster(id)).status).toMatchObject({
      upgrade: { node_sets_behind: ["workers"] },
      node_sets: { infra: { version: "4.18.1" }, workers: { version: "4.17.3" } },
    });
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect(told()).toEqual(["control plane", "infra", "workers"]);
    expect(await expectAt(after)).not.toHaveProperty("upgrade");
    expect(await availability()).toEqual(["CONDITION_STATUS_TRUE"]);
  });

  it("lets a change of node sets wait for it; what is new comes with the new version", async () => {
    await upgrade();
    await until("CONTROL_PLANE");
    const node_sets = { infra: { size: 1 }, workers: { size: 3 } };
    const { body } = await site.api("PATCH", `clusters/${id}`, { spec: { node_sets } });
    expect(body.status.queued_operation).toBeDefined();
    await site.laptop.until(async () => {
      const { status } = await site.cluster(id);
      return status.operation === undefined && status.node_sets.workers.ready === 3;
    });
    expect(asked()).toEqual({ HostedCluster: "4.18.1", infra: "4.18.1", workers: "4.18.1" });
    expect((await site.cluster(id)).status).not.toHaveProperty("upgrade");
  });

  it("is ended by a deletion, which leaves nothing", async () => {
    await upgrade();
    await until("NODE_SETS");
    await site.api("DELETE", `clusters/${id}`);
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect(site.owned()).toEqual([]);
    expect(await wrongInBooks(site)).toEqual([]);
  });
});

describe("an upgrade that is cancelled", () => {
  it("before the hub was told, leaves everything as it was", async () => {
    await upgrade();
    await cancel();
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_CANCELLED");
    expect(told()).toEqual([]);
    expect(await expectAt(before)).not.toHaveProperty("upgrade");
  });

  it("before the control plane has begun, has it stay", async () => {
    await upgrade();
    await until("CONTROL_PLANE", /about to begin/);
    await cancel();
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_CANCELLED");
    expect(told()).toEqual(["control plane", "control plane"]);
    await site.laptop.pass(10 * minute);
    const status = await expectAt(before);
    expect(status).not.toHaveProperty("upgrade");
    expect(status).not.toHaveProperty("failure");
  });

  it("once the control plane has begun, lets it arrive; a retry takes the node sets along", async () => {
    await upgrade();
    await until("CONTROL_PLANE", /Working towards/);
    await cancel();
    await site.laptop.pass(minute);
    expect((await site.cluster(id)).status.waiting[0]).toMatchObject({
      step: "Undo UpgradeControlPlane",
      message: expect.stringMatching(
        /^the control plane, which has begun and cannot go back, to arrive at 4\.18\.1: Working/,
      ),
    });
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_CANCELLED");
    const status = await expectAt({ ...before, version: "4.18.1" });
    expect(status.upgrade).toEqual({
      to: "4.18.1",
      state: "UNFINISHED",
      node_sets_behind: ["infra", "workers"],
    });
    await retry();
    expect(await expectAt(after)).not.toHaveProperty("upgrade");
  });

  it("between node sets, stops after the one that was told; others can be resized as they are", async () => {
    await upgrade();
    await until("NODE_SETS", /^node set infra .*Upgraded: 0$/);
    await cancel();
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_CANCELLED");
    const status = await expectAt({ ...after, workers: "4.17.3" });
    expect(status.upgrade).toMatchObject({ state: "UNFINISHED", node_sets_behind: ["workers"] });

    const node_sets = { infra: { size: 2 }, workers: { size: 1 } };
    await site.api("PATCH", `clusters/${id}`, { spec: { node_sets } });
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect(asked()).toEqual({ HostedCluster: "4.18.1", infra: "4.18.1", workers: "4.17.3" });
    await retry();
    expect((await site.cluster(id)).status.node_sets).toMatchObject({
      infra: { ready: 2, version: "4.18.1" },
      workers: { ready: 1, version: "4.18.1" },
    });
  });
});

describe("an upgrade that fails", () => {
  it("because the hub refuses the release, leaves everything as it was and says why", {
    tags: "smoke",
  }, async () => {
    const image = "quay.io/openshift-release-dev/ocp-release:none";
    await site.admin("POST", "cluster_versions", {
      id: "4-18-7",
      metadata: { name: "4-18-7" },
      spec: { version: "4.18.7", image },
    });
    await site.api("PATCH", `clusters/${id}`, { spec: { version: "4-18-7" } });
    const { status } = await site.settled(id);
    expect(status).toMatchObject({
      state: "OPERATION_STATE_FAILED",
      failure: { step: "UpgradeControlPlane", kind: "Rejected" },
    });
    expect(status.failure.message).toContain("manifest unknown");
    expect((await expectAt(before)).failure).toMatchObject({ step: "UpgradeControlPlane" });
    await upgrade();
    await site.settled(id);
    expect(await expectAt(after)).not.toHaveProperty("failure");
  });

  it("because the cluster says that it is not upgradeable, has touched nothing", async () => {
    annotate({ "sim.slipway.dev/not-upgradeable": "ack of removed APIs is missing" });
    await site.laptop.pass(minute);
    await upgrade();
    const { status } = await site.settled(id);
    expect(status.failure).toMatchObject({ step: "CheckUpgrade", kind: "Rejected" });
    expect(status.failure.message).toContain("ack of removed APIs is missing");
    expect(told()).toEqual([]);
    await expectAt(before);
  });

  it("because the control plane does not arrive, waits for a person and goes on when it has", async () => {
    annotate({ "sim.slipway.dev/down": "true" });
    await upgrade();
    const { id: operation, status } = await site.settled(id);
    expect(status).toMatchObject({
      state: "OPERATION_STATE_STUCK",
      failure: { step: "Undo UpgradeControlPlane", kind: "Rejected" },
    });
    expect(status.failure.message).toMatch(
      /^the control plane has begun to go to 4\.18\.1 and cannot go back; fix what blocks it, then resume this operation: Working towards 4\.18\.1: 20 of 21/,
    );
    annotate({});
    await site.laptop.pass(minute);
    expect((await site.api("POST", `operations/${operation}/resume`)).status).toBe(200);
    await site.laptop.pass(minute);
    expect((await site.settled(id)).status).toMatchObject({
      state: "OPERATION_STATE_FAILED",
      failure: { step: "UpgradeControlPlane", kind: "DeadlineExceeded" },
    });
    expect((await expectAt({ ...before, version: "4.18.1" })).upgrade.state).toBe("UNFINISHED");
    await retry();
    expect(await expectAt(after)).not.toHaveProperty("failure");
  });

  it.each(["CONTROL_PLANE", "NODE_SETS"])(
    "because its execution was aborted in %s, goes on by a retry",
    async (state) => {
      await upgrade();
      await until(state);
      const { id: operation } = await running();
      const aborted = endedUnseen({ state: "ABORTED" });
      await halt(site.laptop.deps, sagas, operation, aborted);
      expect((await site.settled(id)).status).toMatchObject({ state: "OPERATION_STATE_FAILED" });
      expect((await site.cluster(id)).status.upgrade).toMatchObject({
        to: "4.18.1",
        state: "UNFINISHED",
        node_sets_behind: ["infra", "workers"],
      });
      await retry();
      expect(await expectAt(after)).not.toHaveProperty("upgrade");
    },
  );
});
