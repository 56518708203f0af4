import { expect, it } from "vitest";
import { asOperationId } from "../../../../core/id.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { cancelWrites } from "../../../../core/kernel/saga/cancel.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import { toyDeps } from "../../../support/toy/deps.ts";
import { alice, orderToy, toyId } from "../../../support/toy/orders.ts";

/** Which operations can be cancelled, and what a cancellation writes. */

/** An operation on a toy that is this far. */
async function operationThat(more: Partial<Operation>) {
  const deps = toyDeps();
  const id = await orderToy(deps, "toy-create", more);
  return { deps, id, operation: await mustLoad(deps, "operation", id) };
}

const of = (state: Operation["status"]["state"]) => ({ status: { state } });
const cancel = { at: "2026-01-01T00:00:00.000Z", by: "bob", preempted: false };
const held = { ...of("RUNNING"), hold: true, unwinding: true };
const deletion = {
  spec: {
    ...{ saga: "toy-delete", change: "DELETE" },
    target: { kind: "toy", id: toyId, name: "boat" },
  },
} as const;

it.each<[string, Partial<Operation>, string]>([
  ["has succeeded", of("SUCCEEDED"), "it has ended: SUCCEEDED"],
  ["has failed", of("FAILED"), "it has ended: FAILED"],
  ["was cancelled", of("CANCELLED"), "it has ended: CANCELLED"],
  ["deletes", { ...of("RUNNING"), ...deletion }, "a deletion cannot be cancelled"],
  ["is stuck", of("STUCK"), "it is undoing its steps and needs to be resumed"],
  ["has failed and will be held", held, "it has failed, and what it has is held"],
])("an operation that %s cannot be cancelled", async (_, more, why) => {
  const { deps, id, operation } = await operationThat(more);
  await expect(cancelWrites(deps, alice, operation)).rejects.toMatchObject({
    kind: "FailedPrecondition",
    message: `cannot cancel operation '${id}': ${why}`,
  });
});

it.each<[string, Partial<Operation>]>([
  ["has not started", of("PENDING")],
  ["runs", of("RUNNING")],
  ["unwinds", { ...of("RUNNING"), unwinding: true }],
  ["would be held if it failed", { ...of("RUNNING"), hold: true }],
])("an operation that %s is asked to stop", async (_, more) => {
  const { deps, id, operation } = await operationThat(more);
  const { writes, result } = await cancelWrites(deps, alice, operation);
  const asked = { ...cancel, at: new Date(deps.clock.now()).toISOString(), by: "alice" };
  expect(result.object).toEqual(expect.objectContaining({ cancel: asked }));
  await deps.store.transact(writes);
  const after = await mustLoad(deps, "operation", id);
  expect(after.cancel).toMatchObject(asked);
  expect(after.status.state).toBe(operation.status.state);
});

it.each<[string, Partial<Operation>]>([
  ["runs", of("RUNNING")],
  ["is held", held],
])("a second cancellation of an operation that %s changes nothing", async (_, more) => {
  const { deps, operation } = await operationThat({ ...more, cancel });
  expect(await cancelWrites(deps, alice, operation)).toEqual({
    writes: [],
    result: { object: operation },
  });
});

it("a queued operation ends at once, and its target drops the change", async () => {
  const { deps, id, operation } = await operationThat({ queued: true });
  await changeObject(deps, "toy", toyId, (toy) => ({
    ...toy,
    ...{ operation: asOperationId("running"), queued: id },
  }));
  const { writes } = await cancelWrites(deps, alice, operation);
  await deps.store.transact(writes);
  const after = await mustLoad(deps, "operation", id);
  expect(after).toMatchObject({
    queued: false,
    cancel: { by: "alice", preempted: false },
    status: { state: "CANCELLED", failure: { step: "", kind: "Cancelled", given_back: true } },
  });
  expect(after.status.end_time).toBe(after.cancel?.at);
  const toy = await mustLoad(deps, "toy", toyId);
  expect(toy.operation).toBe("running");
  expect(toy.queued).toBeUndefined();
});
