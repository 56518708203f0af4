import { afterAll, beforeAll, expect, it } from "vitest";
import { readLogs } from "../../../core/kernel/events/log.ts";
import { relayBatch } from "../../../functions/relay.ts";
import { sagas } from "../../../statemachines/index.ts";
import { testDeps } from "../../support/deps.ts";
import { type LiveTable, liveTable } from "../../support/live-table.ts";
import { depsWithCatalog, ordered } from "../../support/orders.ts";
import { type LiveBus, liveBus } from "./bus.ts";
import { access, overTheWire } from "./endpoint.ts";
import { type LiveMachines, liveMachines } from "./machines.ts";
import { streamed } from "./stream.ts";

overTheWire("the relay", () => {
  let table: LiveTable;
  let machines: LiveMachines;
  let bus: LiveBus;
  beforeAll(async () => {
    table = await liveTable(access);
    machines = await liveMachines();
    bus = await liveBus();
  });
  afterAll(async () => {
    await table.close();
    await machines.close();
    await bus.close();
  });

  it("starts what the table's stream says was ordered, and tells of it, once though it comes twice", async () => {
    const { store } = table;
    const { workflow } = machines;
    const deps = await depsWithCatalog(testDeps({ store, workflow, bus: bus.bus }));
    const { cluster, operation } = await ordered(deps);
    const Records = await streamed(table.streamArn, 20);
    const relayed = relayBatch(deps, sagas);
    expect(await relayed({ Records })).toEqual({ batchItemFailures: [] });
    expect(await relayed({ Records })).toEqual({ batchItemFailures: [] });

    expect(await workflow.describe("cluster-create", operation.id)).toEqual({ state: "RUNNING" });
    const log = await readLogs(deps, ["tenant-a"], { after: "0", limit: 100, isWhole: true });
    expect(log.flatMap(({ event }) => event?.subject ?? []).sort()).toEqual(
      // With its first order the tenant came to be.
      [`clusters/${cluster.id}`, `operations/${operation.id}`, "tenants/tenant-a"].sort(),
    );
    // Host type, version, template, cluster, operation: at least once each.
    const received = await bus.received(5);
    expect(received.map(({ detail }) => detail.subject)).toEqual(
      expect.arrayContaining([`clusters/${cluster.id}`, `operations/${operation.id}`]),
    );
  });
});
