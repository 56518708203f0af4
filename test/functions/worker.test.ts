import { describe, expect, it } from "vitest";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { sweepKey } from "../../core/kernel/object/hub-keys.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { newEntry } from "../../core/kernel/saga/entry.ts";
import { coreWorker, outsideWorker } from "../../functions/worker.ts";
import { sagas } from "../../statemachines/index.ts";
import { testDeps } from "../support/deps.ts";
import { addHosts, addHub } from "../support/placement.ts";
import { inLine, waitingDeps } from "../support/waiting.ts";

const owner = { kind: "cluster", id: "c1", tenant: "tenant-a", name: "abc" };

describe("a worker of the core zone", () => {
  it("fails a step of another zone, before it acts", async () => {
    const deps = waitingDeps();
    await addHub(deps, "one");
    await addHosts(deps, "one", "small", ["s-00001"]);
    const [{ operation }] = await inLine(deps, ["c1", { small: 1 }]);
    await changeObject(deps, "operation", operation, ({ steps, ...rest }) => ({
      ...rest,
      steps: { ...steps, DeployControlPlane: newEntry(1) },
    }));
    const work = coreWorker({ ...deps, zone: "core" }, sagas);
    await work({ operation, step: "DeployControlPlane", token: "token-1" });
    expect(deps.workflowCalls).toEqual([["fail", "token-1", "Internal", "internal error"]]);
  });

  it("sweeps nothing, and asks no hub", async () => {
    const work = coreWorker({ ...testDeps(), zone: "core" }, sagas);
    await expect(work({ hub: "one", sweep: true })).rejects.toThrow();
    await expect(work({ hub: "one", question: "networks" })).rejects.toThrow();
  });
});

describe("a worker of the hub zone", () => {
  it("reads a kubeconfig or a password of a cluster, and answers it", async () => {
    const deps = testDeps();
    const read: unknown[] = [];
    deps.hubClients.set("one", {
      credentials: {
        readKubeconfig: async (given) => {
          read.push(given);
          return "apiVersion: v1";
        },
        readPassword: async () => undefined,
      },
    });
    const work = outsideWorker(deps, sagas);
    const call = { hub: "one", owner };
    expect(await work({ ...call, reading: "readKubeconfig" })).toEqual({ value: "apiVersion: v1" });
    expect(read).toEqual([owner]);
    expect(await work({ ...call, reading: "readPassword" })).toEqual({});
  });

  it("asks a hub whether it can carry networks", async () => {
    const deps = testDeps();
    deps.hubClients.set("one", { networksFault: async () => "it has no kind" });
    deps.hubClients.set("two", { networksFault: async () => undefined });
    const work = outsideWorker(deps, sagas);
    expect(await work({ hub: "one", question: "networks" })).toEqual({ value: "it has no kind" });
    expect(await work({ hub: "two", question: "networks" })).toEqual({});
  });

  it("issues, lists and revokes credentials of a cluster", async () => {
    const deps = testDeps();
    const asked: unknown[] = [];
    const at = "2026-01-01T00:00:00.000Z";
    const revocation = { state: "REVOCATION_STATE_REVOKING", request_timestamp: at } as const;
    deps.hubClients.set("one", {
      credentials: {
        issueCredential: async (...given) => {
          asked.push(given);
          return { outcome: "waiting" };
        },
        listCredentials: async () => ({ items: [] }),
        revokeCredentials: async (...given) => {
          asked.push(given);
          return revocation;
        },
      },
    });
    const work = outsideWorker(deps, sagas);
    const issue = { csr: "PEM", user: "ann" };
    expect(await work({ hub: "one", owner, issue })).toEqual({ value: { outcome: "waiting" } });
    const reading = "listCredentials";
    expect(await work({ hub: "one", owner, reading })).toEqual({ value: { items: [] } });
    expect(await work({ hub: "one", owner, revoke: true })).toEqual({ value: revocation });
    expect(asked).toEqual([[owner, issue], [owner]]);
  });

  it("does nothing else on a hub for a caller", async () => {
    const work = outsideWorker(testDeps(), sagas);
    await expect(work({ hub: "one", owner, reading: "removeNamespace" })).rejects.toThrow();
  });

  it("sweeps a hub", async () => {
    const deps = testDeps();
    await addHub(deps, "one");
    deps.hubClients.set("one", {
      readAll: () => Promise.reject(new Error("ECONNREFUSED")),
    });
    for (let n = 0; n < 2; n++)
      await expect(outsideWorker(deps, sagas)({ hub: "one", sweep: true })).rejects.toThrow();
    expect((await mustLoad(deps, "hub", "one")).status.state).toBe("HUB_STATE_UNREACHABLE");
  });

  it("finds what has no owner on a hub, and looks at what its clusters have", async () => {
    const deps = testDeps();
    await addHub(deps, "one", { site: "site-1" });
    const owner = { kind: "cluster", id: "gone" };
    const thing = { kind: "Namespace", name: "slipway-abcdefghij", owner };
    deps.hubClients.set("one", { observeAll: async () => [thing] });
    const work = outsideWorker(deps, sagas);
    await work({ hub: "one", sweep: "orphans" });
    const { orphans } = (await mustLoad(deps, "hub", "one")).status;
    expect(orphans).toMatchObject({ count: 1, items: [{ system: "hub", id: thing.name }] });
    await work({ hub: "one", sweep: "parts" });
    expect(await deps.store.get(sweepKey("parts", "hub", "one"))).toHaveProperty("slot");
    // One that was deleted meanwhile is nobody's business any more.
    await work({ site: "gone", sweep: "orphans" });
  });
});
