import { beforeEach, describe, expect, it } from "vitest";
import { withEvent, withLastEvent } from "../../../../core/kernel/events/outbox.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { depsWithCatalog, ordered } from "../../../support/orders.ts";

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
  expect(withEvent(kinds, undefined, cluster, now).event).toMatchObject({
    type: "slipway.cluster.created.v1",
    sequence: 1,
  });
});

describe("a change", () => {
  it("has the next sequence, how long it came after the event before, and the paths that changed", () => {
    const after = {
      ...cluster,
      metadata: { ...cluster.metadata, labels: { a: "1" } },
      generation: 1,
    };
    expect(withEvent(kinds, cluster, after, now).event).toEqual({
      type: "slipway.cluster.updated.v1",
      sequence: 2,
      after: now - Date.parse(cluster.event.time),
      time: "2026-06-01T00:00:00.000Z",
      changed: ["metadata.labels.a", "metadata.version"],
    });
  });

  it.each([
    ["many members", 300, 10],
    ["members of long names", 20, 400],
  ])("of %s says what holds them, also while it is kept back", (_, count, length) => {
    const annotations = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`${n}`.padStart(length, "x"), ""]),
    );
    const metadata = { ...cluster.metadata, annotations };
    const { event } = withEvent(kinds, cluster, { ...cluster, metadata, generation: 1 }, now);
    expect(event.changed).toEqual(["metadata.annotations", "metadata.version"]);
    const kept_back = Object.keys(annotations).map((name) => `status.${name}`);
    const keeps = { ...cluster, event: { ...cluster.event, kept_back } };
    const next = withEvent(kinds, keeps, { ...keeps, generation: 1 }, now);
    expect(next.event.changed).toEqual(["status", "metadata"]);
  });

  it("that no tenant sees is no event", () => {
    const placed: Cluster = {
      ...cluster,
      infra_id: "other",
      observed: { node_pools: {}, operators: { at: "", total: 1, unavailable: [] } },
    };
    expect(withEvent(kinds, cluster, placed, now).event).toEqual(cluster.event);
    expect(
      withEvent(kinds, operation, { ...operation, swept: true, unwinding: true }, now).event,
    ).toEqual(operation.event);
  });

  it.each([
    ["CLUSTER_STATE_READY", "ready"],
    ["CLUSTER_STATE_FAILED", "failed"],
    ["CLUSTER_STATE_DELETE_FAILED", "updated"],
  ] as const)("to %s is named %s", (state, type) => {
    expect(withEvent(kinds, cluster, clusterIn(state), now).event.type).toBe(
      `slipway.cluster.${type}.v1`,
    );
  });

  it("that begins a deletion is named so", () => {
    const after = {
      ...cluster,
      metadata: { ...cluster.metadata, deletion_timestamp: "2026-06-01T00:00:00.000Z" },
    };
    expect(withEvent(kinds, cluster, after, now).event.type).toBe("slipway.cluster.deleting.v1");
  });

  it.each([
    ["PENDING", "RUNNING", "started"],
    ["STUCK", "RUNNING", "updated"],
    ["RUNNING", "SUCCEEDED", "succeeded"],
    ["RUNNING", "FAILED", "failed"],
    ["RUNNING", "CANCELLED", "cancelled"],
    ["RUNNING", "STUCK", "stuck"],
  ] as const)("of an operation from %s to %s is named %s", (from, to, type) => {
    expect(withEvent(kinds, operationIn(from), operationIn(to), now).event.type).toBe(
      `slipway.operation.${type}.v1`,
    );
  });
});

describe("progress", () => {
  const created = Date.parse("2026-01-01T00:00:00.000Z");
  const soon = created + 60_000;
  const late = created + 120_000;
  const step = { position: 0, attempts: 1, leases: {} };
  const told = <O extends Cluster | Operation>(object: O): O => ({
    ...object,
    event: { ...object.event, time: new Date(created).toISOString() },
  });
  const working = (state: Operation["steps"][string]["state"], message = "") =>
    told({ ...operationIn("RUNNING"), steps: { Wait: { ...step, state, message } } });
  const withVersion = (version: string): Cluster =>
    told({ ...cluster, status: { ...cluster.status, api_endpoint: version } });

  it("of an operation is kept back, and told with what is told next", () => {
    const [waits, still] = [working("WAITING", "for hosts"), working("WAITING", "for nodes")];
    const kept = withEvent(kinds, waits, still, soon);
    expect(kept.event).toEqual({
      ...waits.event,
      kept_back: ["status.steps", "status.waiting", "status.waiting_for"],
    });
    const ended = withEvent(
      kinds,
      kept,
      { ...kept, status: { ...kept.status, state: "SUCCEEDED" } },
      soon,
    );
    expect(ended.event.sequence).toBe(waits.event.sequence + 1);
    expect(ended.event.changed).toEqual(
      expect.arrayContaining(["status.waiting_for", "status.state"]),
    );
    expect(ended.event).not.toHaveProperty("kept_back");
  });

  it("is told when the last event is two minutes old", () => {
    const after = withEvent(
      kinds,
      working("WAITING", "for hosts"),
      working("WAITING", "for nodes"),
      late,
    );
    expect(after.event).toMatchObject({
      sequence: 2,
      changed: expect.arrayContaining(["status.waiting_for"]),
    });
  });

  it("that is the end of a step goes with the begin of the next, however old the last event is", () => {
    const [runs, ended] = [working("RUNNING"), working("SUCCEEDED")];
    const kept = withEvent(kinds, runs, ended, late);
    expect(kept.event).toMatchObject({
      sequence: 1,
      kept_back: ["status.steps", "status.percent"],
    });
    const next = {
      ...kept,
      steps: { ...kept.steps, Next: { ...step, state: "RUNNING" as const } },
    };
    expect(withEvent(kinds, kept, next, late).event).toMatchObject({
      sequence: 2,
      changed: expect.arrayContaining(["status.steps", "status.percent"]),
    });
  });

  it("is not that a step begins or fails", () => {
    for (const [from, to] of [
      [working("PENDING"), working("RUNNING")],
      [working("RUNNING"), working("FAILED")],
    ] as const)
      expect(withEvent(kinds, from, to, soon).event.sequence).toBe(2);
  });

  it("of a cluster is kept back while an operation works on it", () => {
    const [before, after] = [withVersion("10.0.0.1"), withVersion("10.0.0.2")];
    expect(withEvent(kinds, before, after, soon).event).toMatchObject({
      sequence: 1,
      kept_back: ["status.api_endpoint"],
    });
    const { operation: _, ...resting } = after;
    expect(withEvent(kinds, before, resting, soon).event.sequence).toBe(2);
  });

  it("is not that a condition turns", () => {
    const turned = (status: "CONDITION_STATUS_TRUE" | "CONDITION_STATUS_FALSE", message: string) =>
      told({
        ...cluster,
        status: {
          ...cluster.status,
          conditions: cluster.status.conditions.map((each) => ({ ...each, status, message })),
        },
      });
    const before = turned("CONDITION_STATUS_FALSE", "a");
    expect(
      withEvent(kinds, before, turned("CONDITION_STATUS_FALSE", "b"), soon).event.sequence,
    ).toBe(1);
    expect(
      withEvent(kinds, before, turned("CONDITION_STATUS_TRUE", "a"), soon).event.sequence,
    ).toBe(2);
  });
});

it("the last event of an object follows the one before", () => {
  expect(withLastEvent(cluster, now).event).toMatchObject({
    type: "slipway.cluster.deleted.v1",
    sequence: 2,
    after: now - Date.parse(cluster.event.time),
  });
});
