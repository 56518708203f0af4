import { objectKey } from "../kernel/object/keys.ts";
import { objectIn, type Records } from "../kernel/object/records.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import { asHost, isTimedKind, slaHostsOf, type Timed } from "../machine/sla.ts";

/**
 * Leaves out objects without alarms: hosts whose health says so (`suppresses_alarms`), their DPUs, and the servers on
 * them. A cluster also has other hosts, so its delays are still reported.
 */

/** The operations that do not work on such objects. */
export async function alarming(records: Records, operations: Operation[]): Promise<Operation[]> {
  const targets = operations.map(({ spec: { target } }) => target);
  const machines = targets.filter(({ kind }) => isTimedKind(kind));
  const items = await records.store.getMany(machines.map(({ kind, id }) => objectKey(kind, id)));
  const found = items.flatMap((item) =>
    item ? [objectIn<Timed["kind"]>(records.kinds, item)] : [],
  );
  return alarmingOn(records, operations, found);
}

/** `alarming` where the machines among the operations' targets are known. */
export async function alarmingOn(
  records: Records,
  operations: Operation[],
  machines: Timed[],
): Promise<Operation[]> {
  const told = new Set((await alarmingMachines(records, machines)).map(({ id }) => id));
  const known = new Set(machines.map(({ id }) => id));
  return operations.filter(({ spec: { target } }) => !known.has(target.id) || told.has(target.id));
}

/** The objects that do not belong to such hosts. Reads only the hosts that are not among the objects. */
export async function alarmingMachines(
  { store, kinds }: Records,
  objects: Timed[],
): Promise<Timed[]> {
  const known = objects.flatMap((object) => asHost(object) ?? []);
  const isKnown = new Set(known.map(({ id }) => id));
  const ids = new Set(objects.flatMap(slaHostsOf).filter((id) => !isKnown.has(id)));
  const items = await store.getMany([...ids].map((id) => objectKey("host", id)));
  const read = items.flatMap((item) => (item ? [objectIn<"host">(kinds, item)] : []));
  const quiet = new Set(
    [...known, ...read].flatMap(({ id, status }) => (status.health?.suppresses_alarms ? [id] : [])),
  );
  return objects.filter((object) => !slaHostsOf(object).some((id) => quiet.has(id)));
}
