import type { DynamoDBRecord } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { timestamp } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import { type Event, NotAccepted } from "../../core/kernel/events/events.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import type { Operation, OperationState } from "../../core/kernel/saga/operation.ts";
import { silent } from "../../core/log.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { relayBatch } from "../../functions/relay.ts";
import { operationMetrics } from "../../functions/runtime/operation-metrics.ts";
import { sagas } from "../../statemachines/index.ts";
import { streamRecord } from "../support/aws-events/stream.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { eventually } from "../support/eventually.ts";
import { depsWithCatalog, ordered } from "../support/orders.ts";

/** The number of the first record of a partition. */
const sequenceOf = (records: DynamoDBRecord[], pk: string): string | undefined =>
  records.find(({ dynamodb }) => dynamodb?.Keys?.pk?.S === pk)?.dynamodb?.SequenceNumber;

const batchOf = (deps: TestDeps) => ({
  Records: deps.store.stream(undefined, 1000).map(streamRecord),
});

describe("a batch of the stream", () => {
  it("starts the execution of an accepted order and publishes what happened", async () => {
    const deps = await depsWithCatalog();
    const { operation, cluster } = await ordered(deps);
    expect(await relayBatch(deps, sagas)(batchOf(deps))).toEqual({ batchItemFailures: [] });
    expect(deps.workflowCalls).toEqual([["start", "cluster-create", operation.id]]);
    const types = deps.published.map(({ type, subject }) => `${type} ${subject}`);
    expect(types).toContain(`slipway.cluster.created.v1 clusters/${cluster.id}`);
  });

  it("names the record that fails, and Lambda continues from there", async () => {
    const deps = await depsWithCatalog();
    const first = await ordered(deps, "one");
    await ordered(deps, "two");
    const batch = batchOf(deps);
    const started: string[] = [];
    const failing: TestDeps = {
      ...deps,
      workflow: {
        ...deps.workflow,
        start: async (_, operation) => {
          if (operation !== first.operation.id) throw new AppError("Unavailable", "throttled");
          started.push(operation);
        },
      },
    };
    const { batchItemFailures } = await relayBatch(failing, sagas)(batch);
    expect(started).toEqual([first.operation.id]);
    const at = batch.Records.findIndex(
      ({ dynamodb }) => dynamodb?.SequenceNumber === batchItemFailures[0]?.itemIdentifier,
    );
    expect(batchItemFailures).toHaveLength(1);
    expect(batch.Records[at]?.dynamodb?.Keys?.pk?.S).toMatch(/^operation#/);

    // Lambda comes again from there.
    const rest = { Records: batch.Records.slice(at) };
    expect(await relayBatch(deps, sagas)(rest)).toEqual({ batchItemFailures: [] });
    expect(deps.workflowCalls.filter(([call]) => call === "start")).toHaveLength(1);
  });

  describe("of several partitions", () => {
    /** Two clusters, each changed once more, and a relay that waits in front of each publishing. */
    async function changed() {
      const deps = await depsWithCatalog();
      const orders = [await ordered(deps, "one"), await ordered(deps, "two")];
      for (const { cluster } of orders)
        await changeObject(deps, "cluster", cluster.id, (before) => ({
          ...before,
          failure: { step: "Step", kind: "Rejected", message: "no" },
        }));
      return { deps, ids: orders.map(({ cluster }) => cluster.id) };
    }

    it("handles them at the same time, and the records of each in order", async () => {
      const { deps, ids } = await changed();
      const [one, two] = ids;
      const begun: string[] = [];
      const gate = Promise.withResolvers<void>();
      const reaction = {
        changed: async (_: object, __: object | undefined, { id, event }: Cluster) => {
          begun.push(`${id}.${event.sequence}`);
          await gate.promise;
        },
      };
      const reactions = { ...deps.reactions, cluster: reaction };
      const relayed = relayBatch({ ...deps, reactions }, sagas)(batchOf(deps));
      await eventually(() => expect(begun).toHaveLength(2));
      expect(begun.sort()).toEqual([`${one}.1`, `${two}.1`].sort());
      gate.resolve();
      await relayed;
      expect(begun).toHaveLength(4);
    });

    it("goes on with the others when one fails, whose later records wait", async () => {
      const { deps, ids } = await changed();
      const [one, two] = ids;
      const handled: string[] = [];
      const reaction = {
        changed: async (_: object, __: object | undefined, { id, event }: Cluster) => {
          if (id === one) throw new AppError("Unavailable", "throttled");
          handled.push(`${id}.${event.sequence}`);
        },
      };
      const reactions = { ...deps.reactions, cluster: reaction };
      const batch = batchOf(deps);
      const { batchItemFailures } = await relayBatch({ ...deps, reactions }, sagas)(batch);
      expect(handled).toEqual([`${two}.1`, `${two}.2`]);
      expect(batchItemFailures).toEqual([
        { itemIdentifier: sequenceOf(batch.Records, `cluster#${one}`) },
      ]);
    });
  });

  it("puts the events of all records onto the bus together", async () => {
    const deps = await depsWithCatalog();
    for (const name of ["one", "two"]) await ordered(deps, name);
    const calls: number[] = [];
    const bus = { publish: async (events: Event[]) => void calls.push(events.length) };
    await relayBatch({ ...deps, bus }, sagas)(batchOf(deps));
    expect(calls).toEqual([expect.any(Number)]);
    expect(calls[0]).toBeGreaterThan(3);
  });

  it.each([
    ["the events that it names", (events: Event[]) => new NotAccepted(events)],
    ["it cannot say which", () => new AppError("Unavailable", "the bus is unreachable")],
  ])("names the records whose events the bus does not take: %s", async (_, refusal) => {
    const deps = await depsWithCatalog();
    await ordered(deps, "one");
    const { cluster } = await ordered(deps, "two");
    const batch = batchOf(deps);
    let all: string[] = [];
    const bus = {
      publish: async (events: Event[]) => {
        all = events.map(({ subject }) => subject);
        throw refusal(events.filter(({ subject }) => subject === `clusters/${cluster.id}`));
      },
    };
    const { batchItemFailures } = await relayBatch({ ...deps, bus }, sagas)(batch);
    const named = sequenceOf(batch.Records, `cluster#${cluster.id}`);
    expect(batchItemFailures).toContainEqual({ itemIdentifier: named });
    const isNamed = refusal([]) instanceof NotAccepted;
    expect(batchItemFailures).toHaveLength(isNamed ? 1 : all.length);
  });

  it("logs for each record its own events, and why the bus did not take them", async () => {
    const warned: Record<string, unknown>[] = [];
    const log = { ...silent, warn: (members: object) => void warned.push({ ...members }) };
    const deps = await depsWithCatalog(testDeps({ log }));
    const { cluster } = await ordered(deps);
    const batch = batchOf(deps);
    const bus = {
      publish: async (events: Event[]) => {
        throw new NotAccepted(events, { detail: "InternalFailure: later" });
      },
    };
    const { batchItemFailures } = await relayBatch({ ...deps, bus }, sagas)(batch);
    expect(warned).toHaveLength(batchItemFailures.length);
    expect(warned.filter(({ key }) => key === `cluster#${cluster.id}`)).toEqual([
      {
        sequence: sequenceOf(batch.Records, `cluster#${cluster.id}`),
        key: `cluster#${cluster.id}`,
        events: ["slipway.cluster.created.v1"],
        kind: "Unavailable",
        detail: "InternalFailure: later",
      },
    ]);
  });

  it("a record without a key fails alone, and those before it count", async () => {
    const deps = await depsWithCatalog();
    const { operation } = await ordered(deps);
    const { Records } = batchOf(deps);
    const broken: DynamoDBRecord = { eventName: "MODIFY", dynamodb: { SequenceNumber: "999999" } };
    const { batchItemFailures } = await relayBatch(deps, sagas)({ Records: [...Records, broken] });
    expect(batchItemFailures).toEqual([{ itemIdentifier: "999999" }]);
    expect(deps.workflowCalls).toEqual([["start", "cluster-create", operation.id]]);
  });

  it("an empty batch is fine", async () => {
    expect(await relayBatch(testDeps(), sagas)({ Records: [] })).toEqual({ batchItemFailures: [] });
  });

  describe("tells how long an operation took", () => {
    /** The records of an operation from its acceptance to after its end. */
    async function ended(state: OperationState) {
      const deps = await depsWithCatalog();
      const { operation } = await ordered(deps);
      await deps.clock.advance(90_000);
      const end_time = timestamp(deps.clock.now());
      const edited = (change: Partial<Operation["status"]>) =>
        changeObject(deps, "operation", operation.id, ({ status, ...rest }) => ({
          ...rest,
          status: { ...status, ...change },
        }));
      await edited({ state: "RUNNING" });
      await edited({ state, end_time });
      await changeObject(deps, "operation", operation.id, (before) => ({ ...before, swept: true }));
      return { deps, operation };
    }

    const measuring = (deps: TestDeps, lines: string[]) =>
      relayBatch(deps, sagas, (before, after) =>
        operationMetrics("slipway-test", before, after, (line) => lines.push(line)),
      );

    it.each(["SUCCEEDED", "FAILED", "CANCELLED"] as const)("once, when it is %s", async (state) => {
      const { deps, operation } = await ended(state);
      const lines: string[] = [];
      await measuring(deps, lines)(batchOf(deps));
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        {
          _aws: {
            Timestamp: deps.clock.now(),
            CloudWatchMetrics: [
              {
                Namespace: "Slipway",
                Dimensions: [["Stage", "Saga", "Outcome"]],
                Metrics: [{ Name: "OperationSeconds", Unit: "Seconds" }],
              },
            ],
          },
          Stage: "slipway-test",
          Saga: "cluster-create",
          Outcome: state,
          OperationSeconds: 90,
          operation: operation.id,
          target: operation.spec.target.id,
        },
      ]);
    });

    it("once, where Lambda comes again because an earlier record has failed", async () => {
      const { deps } = await ended("SUCCEEDED");
      const lines: string[] = [];
      const batch = batchOf(deps);
      const failing = {
        ...deps,
        workflow: {
          ...deps.workflow,
          start: async () => {
            throw new AppError("Unavailable", "throttled");
          },
        },
      };
      const { batchItemFailures } = await measuring(failing, lines)(batch);
      expect(lines).toEqual([]);
      const at = batch.Records.findIndex(
        ({ dynamodb }) => dynamodb?.SequenceNumber === batchItemFailures[0]?.itemIdentifier,
      );
      await measuring(deps, lines)({ Records: batch.Records.slice(at) });
      expect(lines).toHaveLength(1);
    });
  });
});
