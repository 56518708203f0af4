import type { OperationId } from "../id.ts";
import { duePartition, dueShards } from "../kernel/object/keys.ts";
import { load, objectsIn, type Records } from "../kernel/object/records.ts";
import type { Operated } from "../kernel/object/traits.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import type { Concerned } from "../ports/hub/observer.ts";

/** The operations that have begun and not ended: the due index has all of them. */
export async function operationsUnderWay(records: Records): Promise<Operation[]> {
  const found: Operation[] = [];
  for (let shard = 0; shard < dueShards; shard++)
    found.push(...(await operationsIn(records, duePartition(shard))));
  return found.filter(({ status }) => status.state === "RUNNING");
}

/** The operations in a partition of the due index. */
export async function operationsIn(records: Records, pk: string): Promise<Operation[]> {
  const found: Operation[] = [];
  for await (const page of objectsIn<"operation">(records, { index: "g2", pk }))
    found.push(...page);
  return found;
}

/** Calls `work` for the running operation of each of these objects, once for each object. */
export async function eachRunningOf(
  records: Records,
  concerned: (Concerned | undefined)[],
  work: (operation: OperationId) => Promise<void>,
): Promise<void> {
  const objects = concerned.filter((each) => each !== undefined);
  const once = new Map(objects.map((each) => [`${each.kind}/${each.id}`, each]));
  for (const { kind, id } of once.values()) {
    const target: Operated | undefined = await load(records, kind, id);
    if (target?.operation) await work(target.operation);
  }
}
