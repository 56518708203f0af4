import { beforeEach, describe, expect, it } from "vitest";
import { asOperationId, type OperationId } from "../../../../core/id.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { infraKey } from "../../../../core/kernel/object/keys.ts";
import { load, mustLoad } from "../../../../core/kernel/object/records.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import { cancelOperation, resumeOperation, retryCluster } from "../../../support/actions.ts";
import { deleteCluster, updateCluster } from "../../../support/clusters.ts";
import type { TestDeps } from "../../../support/deps.ts";
import { ann, depsWithCatalog, ordered } from "../../../support/orders.ts";
import { wanted } from "../../../support/wanted.ts";

let deps: TestDeps;
beforeEach(async () => {
  deps = await depsWithCatalog();
});

const edit = (id: OperationId, change: (operation: Operation) => Operation) =>
  changeObject(deps, "operation", id, change);
const inState = (id: OperationId, state: Operation["status"]["state"]) =>
  edit(id, (operation) => ({ ...operation, status: { ...operation.status, state } }));
const resize = (id: string, size: number) =>
  updateCluster(
    deps,
    ann,
    id,
    wanted((current) => ({
      ...current,
      spec: { ...Object(current.spec), node_sets: { workers: { size } } },
    })),
  );

/** What the kernel does when the running operation ends well. */
async function settled(id: string) {
  await changeObject(deps, "cluster", id, ({ operation: _, applying, ...cluster }) => ({
    ...cluster,
    applied: applying ?? {},
  }));
}

describe("an accepted order", () => {
  it("has its name on hubs claimed, and what its operation brings about", async () => {
    const { cluster, operation } = await ordered(deps);
    expect(await deps.store.get(infraKey(cluster.infra_id))).toMatchObject({ cluster: cluster.id });
    expect(cluster.applying).toMatchObject({ workers: { size: 2 } });
    expect(operation).toMatchObject({
      spec: { saga: "cluster-create", change: "CREATE" },
      queued: false,
    });
  });

  it("takes another name on hubs when the first is taken", async () => {
    let drawn = 0;
    deps.random = () => (drawn++ < 20 ? 0 : 0.5);
    await deps.store.transact([{ put: { ...infraKey("aaaaaaaaaa"), cluster: "another" } }]);
    const { cluster } = await ordered(deps);
    expect(drawn).toBe(30);
    expect(cluster.infra_id).toBe("nsssssssss");
  });
});

describe("a resize", () => {
  it("of a cluster at rest is an operation that starts, with what it brings about", async () => {
    const { cluster } = await ordered(deps);
    await settled(cluster.id);
    const { object, operation } = await resize(cluster.id, 5);
    expect(object).toMatchObject({ generation: 1, operation, applying: { workers: { size: 5 } } });
    expect(object).not.toHaveProperty("queued");
    expect(await load(deps, "operation", operation ?? "")).toMatchObject({
      spec: { saga: "cluster-scale" },
      queued: false,
    });
  });

  it("that is cancelled in the queue leaves what the running one brings about", async () => {
    const { cluster } = await ordered(deps);
    await settled(cluster.id);
    await resize(cluster.id, 5);
    const queued = await resize(cluster.id, 9);
    await cancelOperation(deps, ann, queued.operation ?? "");
    const after = await mustLoad(deps, "cluster", cluster.id);
    expect(after.spec.node_sets.workers?.size).toBe(5);
    expect(after).not.toHaveProperty("queued");
    expect(after.generation).toBe(3);
  });

  it("of a failed cluster is refused", async () => {
    const { cluster } = await ordered(deps);
    await fail(cluster.id);
    await expect(resize(cluster.id, 3)).rejects.toMatchObject({
      kind: "Invalid",
      message: "cannot update cluster spec when cluster state is CLUSTER_STATE_FAILED",
    });
  });

  it("of two at once ends in one queued operation", async () => {
    const { cluster } = await ordered(deps);
    const answers = await Promise.all([3, 4, 5, 6].map((size) => resize(cluster.id, size)));
    expect(new Set(answers.map(({ operation }) => operation)).size).toBe(1);
  });
});

async function fail(id: string) {
  await changeObject(deps, "cluster", id, ({ operation: _, ...cluster }) => ({
    ...cluster,
    failure: { step: "JoinNodes", kind: "Rejected", message: "no" },
  }));
}

describe("cancel", () => {
  it("asks a running operation once, and says by whom", async () => {
    const { operation } = await ordered(deps);
    await inState(operation.id, "RUNNING");
    const { object } = await cancelOperation(deps, ann, operation.id);
    expect(object.cancel).toMatchObject({ by: "ann", preempted: false });
    const again = await cancelOperation(deps, { ...ann, user: "amy" }, operation.id);
    expect(again.object).toEqual(await mustLoad(deps, "operation", operation.id));
    expect(again.object.cancel?.by).toBe("ann");
  });

  it.each(["SUCCEEDED", "FAILED", "CANCELLED", "STUCK"] as const)(
    "refuses one that is %s",
    async (state) => {
      const { operation } = await ordered(deps);
      await inState(operation.id, state);
      await expect(cancelOperation(deps, ann, operation.id)).rejects.toMatchObject({
        kind: "FailedPrecondition",
      });
    },
  );

  it("refuses a deletion", async () => {
    const { cluster } = await ordered(deps);
    const { operation = asOperationId("") } = await deleteCluster(deps, ann, cluster.id);
    await expect(cancelOperation(deps, ann, operation)).rejects.toMatchObject({
      kind: "FailedPrecondition",
    });
  });
});

it("resume is for what is stuck", async () => {
  const { operation } = await ordered(deps);
  await expect(resumeOperation(deps, ann, operation.id)).rejects.toMatchObject({
    kind: "FailedPrecondition",
  });
  await inState(operation.id, "STUCK");
  const { object } = await resumeOperation(deps, ann, operation.id);
  expect(object).toMatchObject({ status: { state: "STUCK" }, resume: { by: "ann" } });
});

describe("retry", () => {
  it("orders a failed cluster anew and forgets why it failed", async () => {
    const { cluster } = await ordered(deps);
    await fail(cluster.id);
    const { object, operation } = await retryCluster(deps, ann, cluster.id);
    expect(object).not.toHaveProperty("failure");
    expect(object.status.state).toBe("CLUSTER_STATE_PROGRESSING");
    expect(await load(deps, "operation", operation ?? "")).toMatchObject({
      spec: { saga: "cluster-create" },
      status: { state: "PENDING" },
    });
    await expect(retryCluster(deps, ann, cluster.id)).rejects.toMatchObject({
      kind: "FailedPrecondition",
    });
  });

  it("is refused while the cluster is well, or goes", async () => {
    const { cluster } = await ordered(deps);
    await expect(retryCluster(deps, ann, cluster.id)).rejects.toMatchObject({
      kind: "FailedPrecondition",
    });
    await fail(cluster.id);
    await deleteCluster(deps, ann, cluster.id);
    await expect(retryCluster(deps, ann, cluster.id)).rejects.toMatchObject({
      kind: "FailedPrecondition",
    });
  });
});

describe("delete", () => {
  it("of a cluster at rest starts at once", async () => {
    const { cluster } = await ordered(deps);
    await fail(cluster.id);
    const { object, operation } = await deleteCluster(deps, ann, cluster.id);
    expect(object.operation).toBe(operation);
    expect(object.event.type).toBe("slipway.cluster.deleting.v1");
    expect(object.generation).toBe(cluster.generation);
  });

  it("forgets that a change of the cluster failed", async () => {
    const { cluster } = await ordered(deps);
    await fail(cluster.id);
    await changeObject(deps, "cluster", cluster.id, (each) => ({ ...each, published: true }));
    const { object } = await deleteCluster(deps, ann, cluster.id);
    expect(object).not.toHaveProperty("failure");
  });

  it("preempts an operation that somebody had cancelled already", async () => {
    const { cluster, operation } = await ordered(deps);
    await cancelOperation(deps, ann, operation.id);
    await deleteCluster(deps, { ...ann, user: "amy" }, cluster.id);
    expect((await mustLoad(deps, "operation", operation.id)).cancel).toMatchObject({
      by: "ann",
      preempted: true,
    });
  });
});
