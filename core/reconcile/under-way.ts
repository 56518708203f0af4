import { duePartition, dueShards } from "../kernel/object/keys.ts";
import { objectsIn, type Records } from "../kernel/object/records.ts";
import type { Operation } from "../kernel/saga/operation.ts";

/** The operations that have begun and not ended: all of them are in the due index. */
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
