import { timestamp } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/id.ts";
import { asNew } from "../../../core/kernel/events/rewrite.ts";
import { mustLoad, putNew } from "../../../core/kernel/object/records.ts";
import type { StepDeps } from "../../../core/kernel/saga/context.ts";
import { stepContext } from "../../../core/kernel/saga/context.ts";
import { newEntry } from "../../../core/kernel/saga/entry.ts";
import { newOperation } from "../../../core/kernel/saga/new-operation.ts";
import { release } from "../../../core/placement/reserve/release.ts";
import { type ReserveOutcome, reserve } from "../../../core/placement/reserve/reserve.ts";
import { waitingWith } from "../../../core/resources/baremetal-instance/batch.ts";
import { demandOf, instancePlacing } from "../../../core/resources/baremetal-instance/demand.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import { instanceSagas } from "../../../core/resources/baremetal-instance/sagas.ts";
import { newInstanceStatus } from "../../../core/resources/baremetal-instance/status.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";

/** Orders of servers as records, without a site behind them. */

export interface ServerOrder {
  server: string;
  operation: OperationId;
}

const named = (name: string) => ({ id: name, name });
const step = "ReserveCapacity";
const attempt = "attempt-1";

const record = (id: string, members: string[], now: number): BaremetalInstance => ({
  kind: "baremetal_instance",
  id: id as BaremetalInstance["id"],
  metadata: {
    ...{ name: id, tenant: "tenant-a", labels: {}, annotations: {}, creator: "test" },
    creation_timestamp: timestamp(now),
  },
  ...{ generation: 0, revision: 1 },
  spec: {
    catalog_item: named("rhel"),
    template_parameters: {},
    image: { source_type: "registry", source_ref: "quay.io/rhel:9" },
    run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS",
    network_attachments: [],
  },
  status: newInstanceStatus,
  ...{ infra_id: `infra-${id}`, template: named("rhel"), instance_type: named("big") },
  ...{ host_type: "small", stands: [], published: false },
  ...(members.length > 1 && { batch: { id: "batch", members, host_types: ["small"] } }),
  event: { type: "", sequence: 0, time: timestamp(now), changed: [] },
});

/** Servers that are ordered at once; the sagas of all but the last run. */
export async function addServers(deps: StepDeps, ...ids: string[]): Promise<ServerOrder[]> {
  const now = deps.clock.now();
  const orders: ServerOrder[] = [];
  for (const id of ids) {
    const bare = record(id, ids, now);
    const order = { saga: instanceSagas.create, change: "CREATE", creator: "test" } as const;
    const operation = newOperation(deps, { ...order, target: bare });
    const steps = { [step]: { ...newEntry(0), state: "RUNNING", attempt } as const };
    const isLast = ids.length > 1 && id === ids.at(-1);
    const running = isLast
      ? operation
      : { ...operation, status: { state: "RUNNING" as const }, steps };
    const stored = asNew(kinds, { ...bare, operation: operation.id }, now);
    await deps.store.transact([...putNew(kinds, stored), ...putNew(kinds, running)]);
    orders.push({ server: id, operation: operation.id });
  }
  return orders;
}

/** What the step does: for all who wait with it. */
export async function reserveServer(
  deps: StepDeps,
  { server, operation: id }: ServerOrder,
): Promise<ReserveOutcome> {
  const operation = await mustLoad(deps, "operation", id);
  const running = { id: attempt, operation, name: step, undo: false };
  const { fence } = stepContext(deps, running, new AbortController().signal);
  return reserve(deps, {
    ...instancePlacing,
    ...{ id: server, demand: demandOf, operation, step, fence: fence() },
    others: (object) => waitingWith(deps, object),
  });
}

export const giveServerBack = (deps: StepDeps, { server, operation }: ServerOrder): Promise<void> =>
  release(deps, {
    ...instancePlacing,
    ...{ id: server, operation, fence: [], entirely: true },
    hosts: ({ hosts }) => new Set(Object.values(hosts).flat()),
  });
