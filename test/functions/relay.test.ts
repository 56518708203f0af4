import type { DynamoDBRecord } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { AppError } from "../../core/error.ts";
import { relayBatch } from "../../functions/relay.ts";
import { sagas } from "../../statemachines/index.ts";
import { streamRecord } from "../support/aws-events/stream.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { depsWithCatalog, ordered } from "../support/orders.ts";

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

  it("stops at the record that fails, names it, and leaves the rest for the next try", async () => {
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
          if (started.length === 1) throw new AppError("Unavailable", "throttled");
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
    expect(batch.Records[at]?.dynamodb?.NewImage?.kind).toEqual({ S: "operation" });

    // Lambda comes again from there.
    const rest = { Records: batch.Records.slice(at) };
    expect(await relayBatch(deps, sagas)(rest)).toEqual({ batchItemFailures: [] });
    expect(deps.workflowCalls.filter(([call]) => call === "start")).toHaveLength(1);
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
});
