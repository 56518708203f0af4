import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isKind } from "../../../../core/error.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { targetPartition } from "../../../../core/kernel/object/keys.ts";
import { mustLoad, objectIn } from "../../../../core/kernel/object/records.ts";
import { type StepAction, saga } from "../../../../core/kernel/saga/action.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import { isEnded } from "../../../../core/kernel/saga/operation.ts";
import { step } from "../../../../core/kernel/saga/saga.ts";
import { cancelOpen } from "../../../../core/kernel/saga/settle.ts";
import { runStep } from "../../../../core/kernel/saga/step.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { cancelOperation } from "../../../support/actions.ts";
import { deleteCluster, updateCluster } from "../../../support/clusters.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { ann, depsWithCatalog, ordered } from "../../../support/orders.ts";
import { startOrder } from "../../../support/placement.ts";
import { scheduled } from "../../../support/scheduled-store.ts";
import { tries } from "../../../support/seed.ts";
import { wanted } from "../../../support/wanted.ts";

/** What is asked of one cluster at once, in any order of the reads and writes. */

it("a cancellation against success: who was told that it is cancelled gets it cancelled", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const only = step<StepAction<Cluster>>(
        "Only",
        { act: async () => {}, deadline: 600_000 },
        { none: "a test" },
      );
      const one = saga<"cluster">("cluster-create", { comment: "of one step", nodes: [only] });
      const sagas = { "cluster-create": one };
      const deps = testDeps();
      const { operation: id } = await startOrder(deps, "one", { small: 1 });
      const racing = { ...deps, store: scheduled(deps.store, scheduler) };
      const cancelling = async () => {
        try {
          const { object } = await cancelOperation(racing, ann, id);
          // As the relay does.
          await cancelOpen(racing, one, object);
          return true;
        } catch (error) {
          if (isKind(error, "FailedPrecondition")) return false;
          throw error;
        }
      };
      const [cancelled] = await scheduler.waitFor(
        Promise.all([
          cancelling(),
          runStep(racing, sagas, { operation: id, step: "Only", token: "t" }),
        ]),
      );
      const { status } = await mustLoad(deps, "operation", id);
      expect(status.state === "SUCCEEDED").toBe(!cancelled);
      const answers = new Set(deps.workflowCalls.map(([call]) => call));
      expect([...answers]).toEqual([cancelled ? "fail" : "succeed"]);
      outcomes.add(status.state);
      deps.store.close();
    }),
    tries(200),
  );
  // Both have happened.
  expect(outcomes.size).toBe(2);
});

async function atRest(): Promise<{ deps: TestDeps; id: string }> {
  const deps = await depsWithCatalog();
  const { cluster } = await ordered(deps);
  await changeObject(deps, "cluster", cluster.id, ({ operation: _, applying, ...rest }) => ({
    ...rest,
    applied: applying ?? {},
  }));
  await changeObject(deps, "operation", cluster.operation ?? "", (operation) => ({
    ...operation,
    status: { state: "SUCCEEDED" },
  }));
  return { deps, id: cluster.id };
}

const asked = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ scale: fc.integer({ min: 3, max: 9 }) }) },
    { weight: 1, arbitrary: fc.constant("delete" as const) },
  ),
  { minLength: 2, maxLength: 4 },
);

it("scales and deletions of one cluster at once: one operation runs, one is queued, a deletion is last", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), asked, async (scheduler, wishes) => {
      const { deps, id } = await atRest();
      const racing = { ...deps, store: scheduled(deps.store, scheduler) };
      await scheduler.waitFor(
        Promise.all(
          wishes.map(async (wish) => {
            try {
              if (wish === "delete") return await deleteCluster(racing, ann, id);
              const node_sets = { workers: { size: wish.scale } };
              return await updateCluster(
                racing,
                ann,
                id,
                wanted((current) => ({
                  ...current,
                  spec: { ...Object(current.spec), node_sets },
                })),
              );
            } catch (error) {
              // A cluster that is being deleted is not resized any more.
              if (isKind(error, "Invalid") && wishes.includes("delete")) return undefined;
              throw error;
            }
          }),
        ),
      );
      const cluster = await mustLoad(deps, "cluster", id);
      const { items } = await deps.store.query({ index: "g3", pk: targetPartition(id) });
      const operations = items.map((item) => objectIn<"operation">(kinds, item));
      const open = operations.filter((operation) => !isEnded(operation));
      const which = (queued: boolean): Operation[] =>
        open.filter((operation) => operation.queued === queued);
      expect(which(false).map((operation) => operation.id)).toEqual(
        cluster.operation ? [cluster.operation] : [],
      );
      expect(which(true).map((operation) => operation.id)).toEqual(
        cluster.queued ? [cluster.queued] : [],
      );
      const deletions = operations.filter(({ spec }) => spec.change === "DELETE");
      expect(deletions).toHaveLength(wishes.includes("delete") ? 1 : 0);
      if (deletions.length === 0) {
        // The sizes are those of a wish that was accepted, and the last operation brings them about.
        const size = cluster.spec.node_sets.workers?.size;
        expect(wishes.map((wish) => (wish === "delete" ? 0 : wish.scale))).toContain(size);
        if (!cluster.queued) expect(cluster.applying).toEqual(cluster.spec.node_sets);
      } else {
        expect(deletions[0]?.id).toBe(cluster.queued ?? cluster.operation);
        for (const operation of open.filter(({ spec }) => spec.change !== "DELETE"))
          expect(operation.cancel).toMatchObject({ preempted: true });
      }
      deps.store.close();
    }),
    tries(100),
  );
});
