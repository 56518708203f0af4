import { expect, it } from "vitest";
import { asOperationId } from "../../../../core/id.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { type Shape, step } from "../../../../core/kernel/saga/saga.ts";
import { edit } from "../../../../core/kernel/saga/settle.ts";
import { zoneOf } from "../../../../core/kernel/saga/zone.ts";
import { testDeps } from "../../../support/deps.ts";
import { startOrder } from "../../../support/placement.ts";

const shape = (name: string, zone: "hub" | "site"): Shape => ({
  name,
  comment: "",
  nodes: [
    step("Same", { deadline: 1, system: { name: "a", zone: "hub" } }, { none: "test" }),
    step("Other", { deadline: 1, system: { name: "b", zone } }, { none: "test" }),
  ],
});
const shapes = { one: shape("one", "hub"), two: shape("two", "site") };

it("a step's zone is known from its name where all sagas have it there", async () => {
  const unread = asOperationId("none");
  expect(await zoneOf(testDeps(), shapes, unread, "Same")).toBe("hub");
  expect(await zoneOf(testDeps(), shapes, unread, "NoSuchStep")).toBe("core");
});

it("and from the operation's saga where they differ", async () => {
  const deps = testDeps();
  const { operation: id } = await startOrder(deps, "c1", { small: 1 });
  for (const [saga, zone] of [
    ["one", "hub"],
    ["two", "site"],
  ] as const) {
    await edit(deps, id, (operation) => ({ ...operation, spec: { ...operation.spec, saga } }));
    expect((await mustLoad(deps, "operation", id)).spec.saga).toBe(saga);
    expect(await zoneOf(deps, shapes, id, "Other")).toBe(zone);
  }
});
