import { timestamp } from "../../core/clock.ts";
import { asClusterId, type OperationId } from "../../core/id.ts";
import { rewritten } from "../../core/kernel/events/rewrite.ts";
import { infraKey } from "../../core/kernel/object/keys.ts";
import { mustLoad, putNew } from "../../core/kernel/object/records.ts";
import { type Action, type Saga, saga } from "../../core/kernel/saga/action.ts";
import { newOperation } from "../../core/kernel/saga/new-operation.ts";
import type { Operating } from "../../core/kernel/saga/operated.ts";
import type { Operation } from "../../core/kernel/saga/operation.ts";
import type { Node } from "../../core/kernel/saga/saga.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { operated } from "../../core/resources/cluster/operated.ts";
import { emptyStatus } from "../../core/resources/cluster/status.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import type { Laptop } from "./laptop.ts";
import { recordsIn } from "./records.ts";

/** A cluster record with nothing behind it, and sagas of a test's own on it. */

export function clusterRecord(now: number, id = "cluster-1"): Cluster {
  return {
    kind: "cluster",
    id: asClusterId(id),
    metadata: {
      name: id,
      tenant: "tenant-a",
      labels: {},
      annotations: {},
      creator: "test",
      creation_timestamp: timestamp(now),
    },
    generation: 0,
    revision: 1,
    spec: {
      template: { id: "t", name: "t" },
      template_parameters: {},
      node_sets: { workers: { host_type: { id: "compute", name: "compute" }, size: 2 } },
      version: { id: "v", name: "v" },
      network: {},
    },
    status: emptyStatus(now),
    infra_id: "a123456789",
    template_revision: 1,
    release: { version: "4.17.1", image: "quay.io/release:4.17.1" },
    observed: { node_pools: {} },
    published: false,
    event: { type: "", sequence: 0, time: "2026-01-01T00:00:00.000Z", changed: [] },
  };
}

/** One direction of a step of such a saga. */
export type ToyAction = Action<Cluster>;

export const toySaga = (nodes: Node<ToyAction>[]): Saga =>
  saga("toy", { comment: "a saga of a test", nodes });

/** What operations mean for a cluster, those of sagas of tests included. */
export const toyOperating: Operating<"cluster"> = {
  ...operated,
  ended(cluster, ending) {
    if (ending.saga !== "toy") return operated.ended(cluster, ending);
    const { operation, applying, queued, ...free } = cluster;
    const { failure } = ending;
    return failure ? { ...free, failure } : { ...free, published: true };
  },
};

/** Accepts an operation of this saga on a fresh cluster, as the API would. */
export async function accept(
  laptop: Laptop,
  saga = "toy",
  more: Partial<Operation> = {},
): Promise<OperationId> {
  const now = laptop.clock.now();
  const cluster = rewritten(kinds, undefined, clusterRecord(now), now);
  const operation = newOperation(laptop.deps, {
    saga,
    change: "CREATE",
    target: cluster,
    creator: "test",
  });
  await laptop.store.transact([
    ...putNew(kinds, { ...cluster, operation: operation.id }),
    { put: { ...infraKey(cluster.infra_id), id: cluster.id } },
    ...putNew(kinds, { ...operation, ...more }),
  ]);
  return operation.id;
}

export const operationOf = (laptop: Laptop, id: OperationId): Promise<Operation> =>
  mustLoad(recordsIn(laptop.store), "operation", id);

/** Runs until the operation has ended or is stuck, and answers it. */
export async function finish(laptop: Laptop, id: OperationId): Promise<Operation> {
  let operation = await operationOf(laptop, id);
  await laptop.until(async () => {
    operation = await operationOf(laptop, id);
    return !["PENDING", "RUNNING"].includes(operation.status.state);
  }, "the end of the operation");
  await laptop.pass(1000);
  return operation;
}
