import type { Deps } from "../../kernel/deps.ts";
import { failedPartition, foundPartition, foundPrefix } from "../../kernel/object/keys.ts";
import { definitionOf } from "../../kernel/object/kind.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { objectsIn } from "../../kernel/object/records.ts";
import { slaOf, slas, type Timed, type TimedKind } from "../../machine/sla.ts";
import { alarmingMachines } from "../suppressed.ts";
import type { Status } from "./schema.ts";

/** Hosts, DPUs and servers that exceed the SLA of their state. */

const shown = 20;
/** After this many objects of one state, no further page is read. */
const readOfEach = 1000;

type SlaDeps = Pick<Deps, "store" | "kinds" | "clock">;

/**
 * Finds them by the index of states, since few objects are in a state with an SLA at a time. The most overdue come
 * first.
 */
export async function beyondSla(
  deps: SlaDeps,
): Promise<Pick<Status, "beyond_sla" | "more_beyond_sla">> {
  const found = await Promise.all(
    (Object.keys(slas) as TimedKind[]).flatMap((kind) =>
      Object.keys(slas[kind]).map((state) => inState(deps, kind, state)),
    ),
  );
  const now = deps.clock.now();
  const late = found.flat().filter((object) => slaOf(object, now)?.beyond_seconds !== undefined);
  const told = (await alarmingMachines(deps, late))
    .map((object) => lateShown(object, slaOf(object, now)?.ends ?? ""))
    .sort((a, b) => (a.ends < b.ends ? -1 : 1));
  return { beyond_sla: told.slice(0, shown), more_beyond_sla: Math.max(0, told.length - shown) };
}

/** The objects in a state; none for a state that the index combines with another one. */
export async function inState<K extends TimedKind>(
  deps: Pick<SlaDeps, "store" | "kinds">,
  kind: K,
  state: string,
): Promise<ObjectOf[K][]> {
  const [byState] = definitionOf(deps.kinds, kind).stored?.foundBy ?? [];
  if (byState?.liesAs?.[state] !== undefined) return [];
  const partitions = [foundPartition(kind), failedPartition(kind)];
  return (await Promise.all(partitions.map((pk) => ofState<K>(deps, pk, state)))).flat();
}

/** The objects in a state that are out of service, or whose last operation has failed. */
export const outOfService = <K extends TimedKind>(
  deps: Pick<SlaDeps, "store" | "kinds">,
  kind: K,
  state: string,
): Promise<ObjectOf[K][]> => ofState<K>(deps, failedPartition(kind), state);

async function ofState<K extends TimedKind>(
  deps: Pick<SlaDeps, "store" | "kinds">,
  pk: string,
  state: string,
): Promise<ObjectOf[K][]> {
  const range = { prefix: foundPrefix([state]) };
  const found: ObjectOf[K][] = [];
  for await (const some of objectsIn<K>(deps, { index: "g2", pk, range })) {
    found.push(...some);
    if (found.length >= readOfEach) break;
  }
  return found;
}

const lateShown = ({ kind, id, metadata, status, ...rest }: Timed, ends: string) => ({
  ...{ kind, id, name: metadata.name, tenant: metadata.tenant },
  ...{ state: status.state, ends },
  ...(rest.operation !== undefined && { operation: rest.operation }),
});
