import type { Deps } from "../kernel/deps.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import { known } from "../kernel/object/kind.ts";
import type { Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { mustLoad } from "../kernel/object/records.ts";
import { isOperated, type OperatedKind } from "../kernel/object/traits.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import { heldHosts } from "../placement/reserve/release.ts";
import type { Absence, HubRead } from "../ports/hub/absence.ts";
import type { News } from "../ports/hub/news.ts";
import type { Concerned, Observing } from "../ports/hub/observer.ts";
import { macsOf } from "../resources/host/observed.ts";
import { follow, observe } from "./observe.ts";
import { unheard } from "./repeated.ts";

/**
 * Reads an object's hub objects and writes the findings; a missing one is recorded as gone. Answers the changed object.
 * Throws Unavailable.
 */
export async function refreshObject<K extends Kind>(
  deps: StepDeps,
  kind: K,
  id: string,
): Promise<ObjectOf[K]> {
  const object = await mustLoad(deps, kind, id);
  const observing: Observing<K> | undefined = deps.observers[kind];
  const absence = absenceOf(deps, kind);
  const hub = known(kind, observing).hubOf(object);
  if (hub === undefined) return object;
  const client = await deps.hubs.client(hub);
  const at = deps.clock.now();
  const news = await known(kind, absence.read)(client, object);
  const unknown = unheard(deps, [object, ...(await hostsOf(deps, object))], news);
  for (const item of unknown) await observe(deps, hub, item, at);
  const read = { seen: seenIn(news), at };
  const marked = (current: ObjectOf[K]) => absence.marked(current, read, object);
  return changeObject(deps, kind, id, marked, unknown.length === 0 ? object : undefined);
}

async function hostsOf(deps: Deps, object: ObjectOf[Kind]): Promise<ObjectOf["host"][]> {
  if (!isTarget(deps, object)) return [];
  return (await heldHosts(deps, object)).map(({ host }) => host);
}

const isTarget = ({ kinds }: Deps, object: ObjectOf[Kind]): object is ObjectOf[OperatedKind] =>
  isOperated(kinds, object.kind);

/** How a kind treats hub objects that a read did not find. */
export function absenceOf<K extends Kind>(
  { absences }: Pick<StepDeps, "absences">,
  kind: K,
): Absence<K> {
  const absence: Absence<K> | undefined = absences[kind];
  return known(kind, absence);
}

/** The result of a read, in the form for `absences`. */
export const seenIn = (news: News[]): HubRead["seen"] =>
  new Map(news.map((item) => [`${item.kind}/${item.object.metadata.name}`, macsOf(item)]));

/**
 * Records as gone the hub objects of an object that a read did not find. `before` is the object before the read; later
 * reports take precedence. Answers the object whose operation waits for the change, if any.
 */
export async function noteMissing(
  deps: StepDeps,
  before: ObjectOf[Kind],
  read: HubRead,
): Promise<Concerned | undefined> {
  const { kind, id } = before;
  const absence = absenceOf(deps, kind);
  if (!absence.isMissing(before, read.seen)) return undefined;
  const marked = (current: ObjectOf[Kind]) => absence.marked(current, read, before);
  return follow(deps, kind, await changeObject(deps, kind, id, marked));
}
