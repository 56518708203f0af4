import type { Deps } from "../../core/kernel/deps.ts";
import { objectKey } from "../../core/kernel/object/keys.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { objectIn } from "../../core/kernel/object/records.ts";
import { isOperated } from "../../core/kernel/object/traits.ts";
import type { Live } from "../../core/kernel/object/wire-form.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import type { LiveStatus } from "../../core/kernel/request/definition.ts";
import type { Operation } from "../../core/kernel/saga/operation.ts";
import { waitsOf } from "../../core/kernel/saga/shown.ts";
import { lateness } from "../../core/kernel/saga/status.ts";
import { isTimed, isTimedKind, slaOf } from "../../core/machine/sla.ts";
import { kinds } from "./registry.ts";

/** Members of a status that are not stored in the record, for all kinds. */

/** The sources of these members for a kind: its own, the time in the state, and what the operation waits for. */
export const livesOf = <K extends Kind>(
  kind: K,
  own: LiveStatus<K> | undefined,
): readonly LiveStatus<K>[] => [
  ...(own ? [own] : []),
  ...(isTimedKind(kind) ? [time] : []),
  ...(isOperated(kinds, kind) ? [work] : []),
];

const time: LiveStatus<Kind> = {
  members: ["sla"],
  read: async ({ clock }, _, found) =>
    (await found).map((object) => {
      const sla = isTimed(object) ? slaOf(object, clock.now()) : undefined;
      return sla ? { sla } : {};
    }),
};

/** Reads these members for each object, in the order of the objects. */
export async function readLives<K extends Kind>(
  lives: readonly LiveStatus<K>[],
  deps: Deps,
  caller: Caller,
  objects: Promise<ObjectOf[K][]>,
): Promise<Live[]> {
  const [found, ...read] = await Promise.all([
    objects,
    ...lives.map((live) => live.read(deps, caller, objects)),
  ]);
  return found.map((_, n) => Object.assign({}, ...read.map((each) => each[n])));
}

const work: LiveStatus<Kind> = {
  members: ["waiting", "stalled"],
  read: async ({ store, kinds, clock }, _, found) => {
    const running = (await found).map((object) =>
      "operation" in object ? object.operation : undefined,
    );
    const ids = running.flatMap((id) => id ?? []);
    const items = await store.getMany(ids.map((id) => objectKey("operation", id)));
    const works = new Map(
      items.flatMap((item, n) =>
        item ? [[ids[n], workOf(objectIn<"operation">(kinds, item), clock.now())] as const] : [],
      ),
    );
    return running.map((id) => (id && works.get(id)) ?? {});
  },
};

const workOf = (operation: Operation, now: number): Live => ({
  waiting: waitsOf(operation),
  ...lateness(operation, now),
});
