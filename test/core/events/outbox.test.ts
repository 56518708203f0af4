import { beforeEach, describe, expect, it } from "vitest";
import { withEvent, withLastEvent } from "../../../core/events/outbox.ts";
import type { Cluster } from "../../../core/model/cluster.ts";
import type { Operation } from "../../../core/model/operation.ts";
import { depsWithCatalog, ordered } from "../../support/orders.ts";

let cluster: Cluster;
let operation: Operation;
const now = Date.UTC(2026, 5, 1);
beforeEach(async () => {
  ({ cluster, operation } = await ordered(await depsWithCatalog()));
});

const clusterIn = (state: Cluster["status"]["state"]): Cluster => ({
  ...cluster,
  status: { ...cluster.status, state },
});
const operationIn = (state: Operation["status"]["state"]): Operation => ({
  ...operation,
  status: { ...operation.status, state },
});

it("a new object's event is its creation, the first of the sequence", () => {
  expect(withEvent(undefined, cluster, now).event).toMatchObject({
    type: "slipway.cluster.created.v1",
    sequence: 1,
  });
});

describe("a change", () => {
  it("has the next sequence and the paths that changed", () => {
    const after = {
      ...cluster,
      metadata: { ...cluster.metadata, labels: { a: "1" } },
      generation: 1,
    };
    expect(withEvent(cluster, after, now).event).toEqual({
      type: "slipway.cluster.updated.v1",
      sequence: 2,
      time: "2026-06-01T00:00:00.000Z",
      changed: ["metadata.labels.a", "metadata.version"],
    });
  });

  it("that no tenant sees is no event", () => {
    const placed: Cluster = {
      ...cluster,
      infra_id: "other",
      observed: { node_pools: {}, operators: { at: "", total: 1, unavailable: [] } },
    };
    expect(withEvent(cluster, placed, now).event).toEqual(cluster.event);
    expect(
      withEvent(operation, { ...operation, resume: { at: "", by: "" }, unwinding: true }, now)
        .event,
    ).toEqual(operation.event);
  });

  it.each([
    ["CLUSTER_STATE_READY", "ready"],
    ["CLUSTER_STATE_FAILED", "failed"],
    ["CLUSTER_STATE_DELETE_FAILED", "updated"],
  ] as const)("to %s is named %s", (state, type) => {
    expect(withEvent(cluster, clusterIn(state), now).event.type).toBe(`slipway.cluster.${type}.v1`);
  });

  it("that begins a deletion is named so", () => {
    const after = {
      ...cluster,
      metadata: { ...cluster.metadata, deletion_timestamp: "2026-06-01T00:00:00.000Z" },
    };
    expect(withEvent(cluster, after, now).event.type).toBe("slipway.cluster.deleting.v1");
  });

  it.each([
    ["PENDING", "RUNNING", "started"],
    ["STUCK", "RUNNING", "updated"],
    ["RUNNING", "SUCCEEDED", "succeeded"],
    ["RUNNING", "FAILED", "failed"],
    ["RUNNING", "CANCELLED", "cancelled"],
    ["RUNNING", "STUCK", "stuck"],
  ] as const)("of an operation from %s to %s is named %s", (from, to, type) => {
    expect(withEvent(operationIn(from), operationIn(to), now).event.type).toBe(
      `slipway.operation.${type}.v1`,
    );
  });
});

it("the last event of an object follows the one before", () => {
  expect(withLastEvent(cluster, now).event).toMatchObject({
    type: "slipway.cluster.deleted.v1",
    sequence: 2,
  });
});
