import { timestamp } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/id.ts";
import type { Deps } from "../../../core/kernel/deps.ts";
import { asNew, written } from "../../../core/kernel/events/rewrite.ts";
import { mustLoad, putNew } from "../../../core/kernel/object/records.ts";
import { opening } from "../../../core/kernel/object/uses.ts";
import type { Caller } from "../../../core/kernel/request/caller.ts";
import { acceptDeletion } from "../../../core/kernel/saga/delete.ts";
import { newOperation } from "../../../core/kernel/saga/new-operation.ts";
import type { Operation } from "../../../core/kernel/saga/operation.ts";
import { optimistically } from "../../../core/kernel/store/optimistically.ts";
import { operating } from "./kind.ts";
import { asToyId, type Toy, type ToyId, type ToySpec } from "./model.ts";

/** How toys are ordered, changed and deleted: what an API would do. */

export const toyId = asToyId("toy-1");

export const alice: Caller = { user: "alice", tenant: "tenant-a", everywhere: false };

/** Who a toy is. A toy of another name has another place on the shelf. */
export interface Named {
  id: ToyId;
  name: string;
  tenant?: string;
  project?: string;
  /** The toy that it stands on. */
  on?: ToyId;
}

const usual: Named = { id: toyId, name: "boat" };

function newToy({ id, name, tenant = "tenant-a", project, on }: Named, now: number): Toy {
  return {
    kind: "toy",
    id,
    metadata: {
      name,
      tenant,
      ...(project !== undefined && { project }),
      labels: {},
      annotations: {},
      creator: "alice",
      creation_timestamp: timestamp(now),
    },
    generation: 0,
    revision: 1,
    spec: { blocks: 3, colour: "red", ...(on !== undefined && { on }) },
    status: { state: "TOY_STATE_PROGRESSING" },
    event: { type: "", sequence: 0, time: timestamp(now), changed: [] },
  };
}

/** Accepts a new toy, with an operation of a saga that makes it. */
export async function orderToy(
  deps: Deps,
  saga = "toy-create",
  more: Partial<Operation> = {},
  named: Named = usual,
): Promise<OperationId> {
  const now = deps.clock.now();
  const toy = newToy(named, now);
  const operation = newOperation(deps, { saga, change: "CREATE", target: toy, creator: "alice" });
  const stored = asNew(deps.kinds, operating.started(toy, operation.id), now);
  await deps.store.transact([
    ...putNew(deps.kinds, stored),
    ...opening(deps.kinds, stored, true),
    ...putNew(deps.kinds, { ...operation, ...more }),
  ]);
  return operation.id;
}

/** Accepts a change of the toy: at once if the toy rests, else behind the operation that runs. */
export const changeToy = (deps: Deps, spec: ToySpec): Promise<OperationId> =>
  optimistically(deps.store, async () => {
    const before = await mustLoad(deps, "toy", toyId);
    const queued = before.operation !== undefined;
    const operation = newOperation(deps, {
      saga: "toy-change",
      change: "UPDATE",
      target: before,
      creator: "alice",
      ...(queued && { queued }),
    });
    const wished = { ...before, spec };
    const after = queued
      ? { ...wished, queued: operation.id }
      : operating.started(wished, operation.id);
    const writes = [...written(deps, before, after).writes, ...putNew(deps.kinds, operation)];
    return { writes, result: operation.id };
  });

/** Accepts the deletion of the toy. */
export async function deleteToy(deps: Deps, id = toyId, caller = alice): Promise<void> {
  await acceptDeletion(deps, caller, { kind: "toy", id, saga: "toy-delete" });
}
