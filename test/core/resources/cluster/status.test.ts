import { describe, expect, it } from "vitest";
import { asHubId, asOperationId } from "../../../../core/id.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { clusterStatus } from "../../../../core/resources/cluster/status.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";

const now = Date.UTC(2026, 0, 1);
const failure = {
  step: "ReserveCapacity",
  kind: "DeadlineExceeded",
  message: "waited 24 h for 2 hosts",
};

const conditionOf = (cluster: Partial<Cluster>, type: string) =>
  clusterStatus({ ...clusterRecord(now), ...cluster }, now).conditions.find(
    (condition) => condition.type === `CLUSTER_CONDITION_TYPE_${type}`,
  );

describe("a cluster with nothing placed", () => {
  const kinds = ["READY", "INFRASTRUCTURE_READY", "CLUSTER_AVAILABLE"];

  it.each(kinds)("that failed says why in %s", (type) => {
    expect(conditionOf({ failure }, type)).toMatchObject({
      status: "CONDITION_STATUS_FALSE",
      reason: "DeadlineExceeded",
      message: "ReserveCapacity: waited 24 h for 2 hosts",
    });
  });

  it.each(kinds)("that waits for its place says so in %s", (type) => {
    expect(conditionOf({}, type)).toMatchObject({
      status: "CONDITION_STATUS_FALSE",
      reason: "NotPlaced",
      message: "waits for a hub and hosts",
    });
  });
});

it("a failed cluster that still holds its place shows what is wrong there", () => {
  const placement = {
    hub: asHubId("hub"),
    at: "2026-01-01T00:00:00.000Z",
    reason: "",
    rejected: [],
    hosts: {},
  };
  expect(conditionOf({ failure, placement }, "READY")).toMatchObject({ reason: "NotDeployed" });
  expect(conditionOf({ failure, placement }, "FAILED")).toMatchObject({
    status: "CONDITION_STATUS_TRUE",
    message: "ReserveCapacity: waited 24 h for 2 hosts",
  });
});

const operation = asOperationId("o1");
const deletion_timestamp = "2026-01-01T00:00:00.000Z";
const stuck = { step: "Undo CreateDnsRecords", kind: "Rejected", message: "no" };
const said = "Undo CreateDnsRecords: no";

it.each<[string, Partial<Cluster>, boolean, string, string | undefined]>([
  ["that runs", { operation }, true, "DELETING", undefined],
  ["that is stuck", { operation, stuck }, true, "DELETE_FAILED", said],
  ["that was cut off", { failure: stuck }, true, "DELETE_FAILED", said],
  ["of one never made, that runs", { operation, failure }, false, "DELETING", undefined],
  ["of one never made, that is stuck", { operation, failure, stuck }, false, "DELETE_FAILED", said],
])("a deletion %s shows in state and conditions", (_, members, published, state, message) => {
  const record = clusterRecord(now);
  const metadata = { ...record.metadata, deletion_timestamp };
  const cluster = { ...record, published, ...members, metadata };
  expect(clusterStatus(cluster, now).state).toBe(`CLUSTER_STATE_${state}`);
  const isRunning = state === "DELETING";
  expect(conditionOf(cluster, "PROGRESSING")).toMatchObject({
    status: isRunning ? "CONDITION_STATUS_TRUE" : "CONDITION_STATUS_FALSE",
    ...(message !== undefined && { message }),
  });
  expect(conditionOf(cluster, "FAILED")).toMatchObject(
    message !== undefined ? { status: "CONDITION_STATUS_TRUE", message } : {},
  );
});

it("a change that is stuck leaves a cluster READY, and says so", () => {
  const cluster = { ...clusterRecord(now), published: true, operation, stuck };
  expect(clusterStatus(cluster, now)).toMatchObject({
    state: "CLUSTER_STATE_READY",
    failure: stuck,
  });
  expect(conditionOf(cluster, "PROGRESSING")).toMatchObject({
    status: "CONDITION_STATUS_FALSE",
    message: said,
  });
});

it.each([false, true])(
  "shows the address and the version of a control plane that is there (gone: %s)",
  (gone) => {
    const control_plane: Cluster["observed"]["control_plane"] = {
      uid: "u-1",
      resource_version: "7",
      at: "2026-01-01T00:00:00.000Z",
      gone,
      message: "",
      available: !gone,
      degraded: false,
      version_completed: true,
      version: "4.17.3",
      endpoint: { host: "10.64.0.2", port: 6443 },
    };
    const cluster = {
      ...clusterRecord(now),
      published: true,
      observed: { control_plane, node_pools: {} },
    };
    const { api_endpoint, api_url, version } = clusterStatus(cluster, now);
    expect({ api_endpoint, api_url, version }).toEqual(
      gone
        ? {}
        : { api_endpoint: "10.64.0.2", api_url: "https://10.64.0.2:6443", version: "4.17.3" },
    );
  },
);
