import { describe, expect, it } from "vitest";
import {
  observedControlPlane,
  observedNodePool,
} from "../../../../core/resources/cluster/observed.ts";
import { newsOfKind } from "../../../support/news.ts";

const now = "2026-01-01T00:10:00.000Z";
const before = "2026-01-01T00:00:00.000Z";

const condition = (type: string, status: string, rest: object = {}) => ({ type, status, ...rest });

describe("a control plane", () => {
  const observe = (status: Record<string, unknown>, metadata = {}) =>
    observedControlPlane(newsOfKind("HostedCluster", { status, metadata }), undefined, now);

  it("is nothing yet while its operator has not touched it", () => {
    expect(observe({})).toEqual({
      uid: "uid-1",
      resource_version: "100",
      at: now,
      gone: false,
      available: false,
      degraded: false,
      version_completed: false,
      message: "waiting for the hub's operator",
    });
  });

  it("has everything once it is up", () => {
    const observed = observe({
      conditions: [condition("Available", "True"), condition("Degraded", "False")],
      controlPlaneEndpoint: { host: "10.0.0.9", port: 6443 },
      kubeconfig: { name: "abc-admin-kubeconfig" },
      kubeadminPassword: { name: "abc-kubeadmin-password" },
      version: { history: [{ state: "Completed", version: "4.17.9" }] },
    });
    expect(observed).toMatchObject({
      available: true,
      degraded: false,
      version_completed: true,
      version: "4.17.9",
      endpoint: { host: "10.0.0.9", port: 6443 },
      kubeconfig_secret: "abc-admin-kubeconfig",
      password_secret: "abc-kubeadmin-password",
      message: "",
    });
  });

  it.each([
    [{ host: "", port: 6443 }],
    [{ host: "10.0.0.9", port: 0 }],
    [{ host: "10.0.0.9" }],
    ["nonsense"],
  ])("has no endpoint while it is %j", (controlPlaneEndpoint) => {
    expect(observe({ controlPlaneEndpoint }).endpoint).toBeUndefined();
  });

  it("during an upgrade has the version that is complete, and is not complete itself", () => {
    const history = [
      { state: "Partial", version: "4.18.1" },
      { state: "Completed", version: "4.17.9" },
    ];
    const conditions = [
      condition("Available", "True"),
      condition("ClusterVersionProgressing", "True", { message: "Working towards 4.18.1" }),
    ];
    expect(observe({ conditions, version: { history } })).toMatchObject({
      version: "4.17.9",
      rolling_to: "4.18.1",
      version_completed: false,
      message: "Working towards 4.18.1",
    });
  });

  it("is as available as before until its operator has seen a change of the order", () => {
    const conditions = [condition("Available", "True", { observedGeneration: 1 })];
    const news = (generation: number) =>
      newsOfKind("HostedCluster", { status: { conditions }, metadata: { generation } });
    const first = observedControlPlane(news(1), undefined, before);
    expect(observedControlPlane(news(2), first, now)).toMatchObject({
      available: true,
      message: "waiting for the hub's operator",
    });
    const fallen = { ...first, available: false, degraded: true };
    expect(observedControlPlane(news(2), fallen, now)).toMatchObject({
      available: false,
      degraded: true,
    });
  });

  it("conditions of an earlier generation say nothing of this one", () => {
    const stale = { observedGeneration: 1 };
    const conditions = [
      condition("Available", "True", stale),
      condition("Degraded", "True", stale),
      condition("ValidConfiguration", "False", stale),
    ];
    const observed = observe({ conditions }, { generation: 2 });
    expect(observed).toMatchObject({ available: false, degraded: false });
    expect(observed.refusal).toBeUndefined();
    expect(observe({ conditions }, { generation: 1 })).toMatchObject({
      available: true,
      degraded: true,
    });
  });

  it.each([
    "ValidConfiguration",
    "SupportedHostedCluster",
    "ValidReleaseImage",
    "PlatformCredentialsFound",
    "ValidReleaseInfo",
  ])("%s=False is a refusal since it was first seen", (type) => {
    const refused = condition(type, "False", { reason: "Invalid", message: "no such thing" });
    const news = newsOfKind("HostedCluster", { status: { conditions: [refused] } });
    const first = observedControlPlane(news, undefined, before);
    expect(first).toMatchObject({
      refusal: `${type}: Invalid: no such thing`,
      refused_since: before,
      message: `${type}: Invalid: no such thing`,
    });
    expect(observedControlPlane(news, first, now).refused_since).toBe(before);

    const taken = newsOfKind("HostedCluster", {
      status: { conditions: [condition(type, "True")] },
    });
    const cleared = observedControlPlane(taken, first, now);
    expect(cleared.refusal).toBeUndefined();
    expect(observedControlPlane(news, cleared, now).refused_since).toBe(now);
  });

  it.each([
    [
      [
        condition("Available", "False", { reason: "WaitingForAvailable", message: "be patient" }),
        condition("InfrastructureReady", "False", { message: "no address for the API" }),
      ],
      "InfrastructureReady: no address for the API",
    ],
    [[condition("Available", "False", { reason: "EtcdWaiting" })], "Available: EtcdWaiting"],
    [[condition("Progressing", "True")], "waiting for the control plane"],
    [
      [
        condition("Available", "True"),
        condition("Degraded", "True", { message: "one replica down" }),
      ],
      "Degraded: one replica down",
    ],
    [[condition("Available", "True")], "waiting for the version to roll out"],
  ])("%# says what it waits for or complains of", (conditions, message) => {
    expect(observe({ conditions }).message).toBe(message);
  });

  it("that is being deleted is not gone and says what holds it", () => {
    const metadata = { deletionTimestamp: before };
    expect(observe({}, metadata)).toMatchObject({ gone: false, message: "being deleted" });
    const held = condition("HostedClusterDestroyed", "False", { message: "waiting for machines" });
    expect(observe({ conditions: [held] }, metadata).message).toBe(
      "HostedClusterDestroyed: waiting for machines",
    );
  });

  it("that is deleted is gone, whatever it said last", () => {
    const status = { conditions: [condition("Available", "True")] };
    const news = newsOfKind("HostedCluster", { status, deleted: true });
    expect(observedControlPlane(news, undefined, now)).toMatchObject({
      gone: true,
      available: false,
    });
  });
});

describe("a node pool", () => {
  const healthy = condition("AllNodesHealthy", "True");
  const observe = (replicas: number, status: Record<string, unknown>, metadata = {}) =>
    observedNodePool(newsOfKind("NodePool", { spec: { replicas }, status, metadata }), now);

  it.each([
    [2, { replicas: 2, conditions: [healthy] }, true],
    [2, { replicas: 1, conditions: [healthy] }, false],
    [2, { replicas: 2, conditions: [condition("AllNodesHealthy", "False")] }, false],
    [2, { replicas: 2 }, false],
    [1, { replicas: 2, conditions: [healthy] }, false],
    [0, { replicas: 0, conditions: [condition("AllNodesHealthy", "False")] }, true],
    [0, {}, true],
  ])("%# of %i with %j is ready: %s", (desired, status, ready) => {
    expect(observe(desired, status).ready).toBe(ready);
  });

  it("counts and explains", () => {
    const machines = condition("AllMachinesReady", "False", {
      message: "Machine x: NoSuitableAgents",
    });
    expect(observe(3, { replicas: 1, conditions: [machines] })).toMatchObject({
      desired: 3,
      replicas: 1,
      message: "1 of 3 nodes; AllMachinesReady: Machine x: NoSuitableAgents",
    });
    expect(observe(2, { replicas: 2, conditions: [healthy] }).message).toBe("");
  });

  it.each([
    ["4.17.9", [healthy], true],
    [undefined, [healthy], false],
    ["4.17.9", [healthy, condition("UpdatingVersion", "True")], false],
    ["4.17.9", [healthy, condition("UpdatingConfig", "True")], false],
    ["4.17.9", [{ ...healthy, observedGeneration: 1 }], false],
  ])("%# at version %s with %j has completed it: %s", (version, conditions, completed) => {
    const status = { conditions, ...(version && { version }) };
    expect(observe(2, status, { generation: 2 }).version_completed).toBe(completed);
  });
});
