import { describe, expect, it } from "vitest";
import { mustLoad } from "../../core/kernel/object/records.ts";
import type { OperationState } from "../../core/kernel/saga/operation.ts";
import { edit } from "../../core/kernel/saga/settle.ts";
import { halted } from "../../functions/halted.ts";
import { sagas } from "../../statemachines/index.ts";
import { executionEvent as changed } from "../support/aws-events/event-bridge.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { addOrder } from "../support/placement.ts";

/** What a person reads of an operation that was cut off, and does about it. */
const wordsOfCutOff =
  "it was cut off by a fault inside Slipway; what it has allocated is not released: retry it, or delete it to release everything";

async function running(deps: TestDeps, state: OperationState = "RUNNING") {
  const { operation } = await addOrder(deps, "c1", { small: 1 });
  await edit(deps, operation, (current) => ({
    ...current,
    status: { ...current.status, state },
    steps: {
      ReserveCapacity: { position: 0, state: "WAITING", attempts: 1, token: "t", leases: {} },
    },
  }));
  return operation;
}

describe("an execution that ended other than well", () => {
  it.each(["FAILED", "TIMED_OUT", "ABORTED"])("%s fails its operation", async (status) => {
    const deps = testDeps();
    const id = await running(deps);
    const told: string[] = [];
    const tell = (...said: string[]) => void told.push(said.join(" "));
    await halted(deps, sagas, tell)(changed(id, status, { cause: "by hand" }));
    // Failing is usual; the other ends wake somebody.
    expect(told).toEqual(status === "FAILED" ? [] : [`${id} ${status}`]);
    const { status: after } = await mustLoad(deps, "operation", id);
    expect(after).toMatchObject({
      state: "FAILED",
      failure: {
        step: "ReserveCapacity",
        kind: "Internal",
        message: wordsOfCutOff,
        given_back: false,
      },
    });
  });

  it("says why it had turned back before it was cut off, and that all is given back if so", async () => {
    const deps = testDeps();
    const id = await running(deps);
    const failure = { step: "ReserveCapacity", kind: "Rejected", message: "no" };
    const ended = { state: "SUCCEEDED", attempts: 1 } as const;
    await edit(deps, id, (operation) => ({
      ...operation,
      unwinding: true,
      failure,
      steps: {
        ReserveCapacity: { ...ended, position: 0, state: "FAILED" },
        "Undo ReserveCapacity": { ...ended, position: 1 },
      },
    }));
    await halted(deps, sagas)(changed(id, "FAILED", { cause: '{"errorType":"Rejected"}' }));
    const { status } = await mustLoad(deps, "operation", id);
    expect(status).toMatchObject({ state: "FAILED", failure: { ...failure, given_back: true } });
  });

  it("says what to do where its undo was cut off, behind why it had turned back", async () => {
    const deps = testDeps();
    const id = await running(deps);
    const failure = { step: "CreateLayer2Network", kind: "Rejected", message: "no VLAN" };
    await edit(deps, id, (operation) => ({ ...operation, unwinding: true, failure }));
    await halted(deps, sagas)(changed(id, "FAILED", { cause: "Lambda.Unknown" }));
    const { status, spec } = await mustLoad(deps, "operation", id);
    const message = `no VLAN; ${wordsOfCutOff}`;
    expect(status.failure).toEqual({ ...failure, message, given_back: false });
    // Whoever looks at the object alone reads the same.
    const cluster = await mustLoad(deps, "cluster", spec.target.id);
    expect(cluster.status.conditions).toContainEqual(
      expect.objectContaining({
        type: "CLUSTER_CONDITION_TYPE_FAILED",
        message: `CreateLayer2Network: ${message}`,
      }),
    );
  });

  it("of a deletion is to be deleted again", async () => {
    const deps = testDeps();
    const id = await running(deps);
    await edit(deps, id, ({ spec, ...operation }) => ({
      ...operation,
      spec: { ...spec, saga: "cluster-delete", change: "DELETE" },
    }));
    await halted(deps, sagas)(changed(id, "ABORTED", { cause: "by hand" }));
    const { status } = await mustLoad(deps, "operation", id);
    expect(status.failure?.message).toBe(
      "it was cut off by a fault inside Slipway; the rest of it is not released: delete it again to continue",
    );
  });

  it("keeps the cause of what was cut off for the log", async () => {
    const deps = testDeps();
    const said: object[] = [];
    deps.log = { ...deps.log, error: (about: object) => void said.push(about) };
    const id = await running(deps);
    await halted(deps, sagas)(changed(id, "FAILED", { cause: '{"errorType":"TypeError"}' }));
    expect(said).toEqual([{ operation: id, detail: 'FAILED {"errorType":"TypeError"}' }]);
  });

  it("leaves an operation alone that its saga has ended", async () => {
    const deps = testDeps();
    const id = await running(deps, "SUCCEEDED");
    const before = await mustLoad(deps, "operation", id);
    await halted(deps, sagas)(changed(id, "FAILED"));
    expect(await mustLoad(deps, "operation", id)).toEqual(before);
  });

  it("is nobody's concern when it is no operation's", async () => {
    const deps = testDeps();
    await expect(halted(deps, sagas)(changed("by-hand", "ABORTED"))).resolves.toBeUndefined();
  });

  it.each([
    ["one that goes on", changed("x", "RUNNING")],
    ["one that others report", { ...changed("x", "FAILED"), source: "somebody" }],
  ])("is not %s", async (_, event) => {
    await expect(halted(testDeps(), sagas)(event)).rejects.toThrow();
  });
});
