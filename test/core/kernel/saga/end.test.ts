import { expect, it } from "vitest";
import { asOperationId } from "../../../../core/id.ts";
import { dropTicket, ticketKeyOf } from "../../../../core/kernel/claim/ticket.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { load, mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import { endWrites } from "../../../../core/kernel/saga/end.ts";
import { newEntry } from "../../../../core/kernel/saga/entry.ts";
import { newOperation } from "../../../../core/kernel/saga/new-operation.ts";
import { toyDeps } from "../../../support/toy/deps.ts";
import { operating } from "../../../support/toy/kind.ts";
import { orderToy, toyId } from "../../../support/toy/orders.ts";
import { toySagas } from "../../../support/toy/sagas.ts";

/** The end of an operation, and whom it concerns. */

const failure = { step: "MakeCrate", kind: "Rejected", message: "the box says no" };
const queue = "paint";

/** An operation that stands in a queue, on a toy that has this operation. */
async function waiting(has: "its own" | "another" | "none") {
  const deps = toyDeps({ ...operating, queues: () => [queue] });
  const operation = await mustLoad(deps, "operation", await orderToy(deps));
  await deps.store.transact([{ put: { ...ticketKeyOf(queue, operation) } }]);
  await changeObject(deps, "toy", toyId, ({ operation: own, ...toy }) => ({
    ...toy,
    ...(has === "its own" && own && { operation: own }),
    ...(has === "another" && { operation: asOperationId("another") }),
  }));
  return { deps, operation, before: await mustLoad(deps, "toy", toyId) };
}

const saga = toySagas["toy-create"];
if (!saga) throw new Error("there is no saga that makes toys");

it.each(["another", "none"] as const)(
  "an operation that ends while its target has %s leaves the target as it is",
  async (has) => {
    const { deps, operation, before } = await waiting(has);
    await deps.store.transact(await endWrites(deps, saga, operation, operation, failure));
    expect(await mustLoad(deps, "toy", toyId)).toEqual(before);
    const { status } = await mustLoad(deps, "operation", operation.id);
    expect(status).toMatchObject({ state: "FAILED", failure });
    expect(await deps.store.get(ticketKeyOf(queue, operation))).toBeUndefined();
  },
);

it("an operation that ends gives its target back, and leaves its queues", async () => {
  const { deps, operation } = await waiting("its own");
  await deps.store.transact(await endWrites(deps, saga, operation, operation, failure));
  const toy = await mustLoad(deps, "toy", toyId);
  expect(toy).toMatchObject({ failure });
  expect(toy.operation).toBeUndefined();
  expect(await deps.store.get(ticketKeyOf(queue, operation))).toBeUndefined();
});

it("an operation whose target is gone ends all the same", async () => {
  const { deps, operation } = await waiting("its own");
  await deps.store.transact([
    { delete: { pk: `toy#${toyId}`, sk: "-" } },
    dropTicket(queue, operation),
  ]);
  await deps.store.transact(await endWrites(deps, saga, operation, operation));
  expect((await load(deps, "operation", operation.id))?.status.state).toBe("SUCCEEDED");
});

it("an operation that never waited removes no ticket", async () => {
  const { deps, operation } = await waiting("its own");
  await deps.store.transact([dropTicket(queue, operation)]);
  const writes = await endWrites(deps, saga, operation, operation);
  expect(writes).not.toContainEqual(dropTicket(queue, operation));
});

it("an operation that is cut off leaves a queue that an attempt of it has just entered", async () => {
  const { deps, operation } = await waiting("its own");
  await deps.store.transact([dropTicket(queue, operation)]);
  const leases = { late: deps.wall.now() + 1 };
  const cutOff = { ...operation, steps: { MakeCrate: { ...newEntry(0), leases } } };
  const writes = await endWrites(deps, saga, operation, cutOff, failure);
  await deps.store.transact([{ put: { ...ticketKeyOf(queue, operation) } }]);
  await deps.store.transact(writes);
  expect(await deps.store.get(ticketKeyOf(queue, operation))).toBeUndefined();
});

it.each(["Rejected", "Cancelled"])(
  "a change that waits behind a create that ends with %s ends with it, and the wish stays",
  async (kind) => {
    const { deps, operation } = await waiting("its own");
    const queued = newOperation(deps, {
      ...{ saga: "toy-change", change: "UPDATE", creator: "alice", queued: true },
      target: await mustLoad(deps, "toy", toyId),
    });
    await deps.store.transact(putNew(deps.kinds, queued));
    await changeObject(deps, "toy", toyId, (toy) => ({
      ...toy,
      ...{ queued: queued.id, spec: { ...toy.spec, colour: "blue" } },
    }));
    const why = { ...failure, kind };
    await deps.store.transact(await endWrites(deps, saga, operation, operation, why));
    const { status, queued: isQueued } = await mustLoad(deps, "operation", queued.id);
    expect(isQueued).toBe(false);
    expect(status).toMatchObject({
      state: "CANCELLED",
      failure: { kind: "Cancelled", message: "the toy was not created", given_back: true },
    });
    const toy = await mustLoad(deps, "toy", toyId);
    expect([toy.operation, toy.queued, toy.spec.colour]).toEqual([undefined, undefined, "blue"]);
  },
);
