import { expect, it } from "vitest";
import { hours } from "../../core/clock.ts";
import { WorkflowEngine } from "../../local/workflow/engine.ts";
import { openLaptop } from "../support/laptop.ts";
import { VirtualClock } from "../support/virtual-clock.ts";
import { databaseFile } from "./workflow/fixture.ts";
import { machine } from "./workflow/machine.ts";

it("removes what has expired, as DynamoDB does, and nothing else", async () => {
  const { store, clock, pass } = openLaptop({ sagas: {} });
  const now = Math.floor(clock.now() / 1000);
  await store.transact([
    { put: { pk: "old", sk: "-", expires: now + 60 } },
    { put: { pk: "young", sk: "-", expires: now + 24 * 3600 } },
    { put: { pk: "kept", sk: "-" } },
  ]);
  await pass(hours(2));
  const found = await store.getMany(["old", "young", "kept"].map((pk) => ({ pk, sk: "-" })));
  expect(found.map((item) => item?.pk)).toEqual([undefined, "young", "kept"]);
});

it("forgets executions a week after their end", async () => {
  const clock = new VirtualClock();
  const workflows = databaseFile();
  const earlier = new WorkflowEngine({ database: workflows, clock, integrations: {} });
  const { arn: done } = earlier.createStateMachine("done", machine({ Done: { Type: "Succeed" } }));
  const { arn } = earlier.startExecution(done, "first");
  await earlier.settled(arn);
  await earlier.close();

  await clock.advance(hours(7 * 24 - 2));
  const { engine, pass } = openLaptop({ sagas: {}, clock, workflows });
  await pass(hours(1.5));
  expect(engine.describe(arn).status).toBe("SUCCEEDED");
  await pass(hours(2));
  expect(engine.listExecutions(done, { limit: 10 })).toEqual([]);
});
