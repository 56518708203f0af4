import type { Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { News } from "../ports/hub/news.ts";
import { isRepeated } from "../ports/hub/observation.ts";
import type { ObserveDeps, Observing } from "../ports/hub/observer.ts";
import { observerOf } from "./observe.ts";

/**
 * The reports of a whole hub without those that repeat the record of an object at rest: almost all of them, on almost
 * every hub. `onHub`: the hub's objects in our records, from before the read of the hub. They may lag; then a repeated
 * report is processed once more.
 */
export async function withoutRepeated(
  deps: ObserveDeps,
  onHub: readonly ObjectOf[Kind][],
  news: News[],
): Promise<News[]> {
  const resting: ObjectOf[Kind][] = [];
  for (const kind of Object.keys(deps.observers) as Kind[])
    resting.push(...(await atRest(deps, kind, onHub)));
  return unheard(deps, resting, news);
}

/** The objects of a kind that are at rest. */
async function atRest(
  deps: ObserveDeps,
  kind: Kind,
  onHub: readonly ObjectOf[Kind][],
): Promise<ObjectOf[Kind][]> {
  const ids = await deps.observers[kind]?.resting?.among(deps, onHub);
  return ids ? onHub.filter((each) => each.kind === kind && ids.has(each.id)) : [];
}

/** The reports that do not repeat the record of one of these objects. */
export function unheard(
  { observers }: Pick<ObserveDeps, "observers">,
  objects: readonly ObjectOf[Kind][],
  news: News[],
): News[] {
  const known = new Map<string, ObjectOf[Kind]>(
    objects.flatMap((object) => {
      const observing: Observing<Kind> | undefined = observers[object.kind];
      const keys = observing?.resting?.keysOf(object) ?? [];
      return keys.map((key) => [`${object.kind}#${key}`, object] as const);
    }),
  );
  return news.filter((item) => {
    const found = observerOf(observers, item.kind);
    const keys = found?.observing.resting?.keysIn(item) ?? [];
    const [object] = keys.flatMap((key) => known.get(`${found?.kind}#${key}`) ?? []);
    return !object || !isRepeated(found?.observer.last(object, item), item);
  });
}
