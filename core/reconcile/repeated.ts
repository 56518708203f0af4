import type { Deps } from "../kernel/deps.ts";
import type { Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { News } from "../ports/hub/news.ts";
import { isRepeated } from "../ports/hub/observation.ts";
import { observerOf } from "./observe.ts";

/**
 * The reports of a whole hub without those that repeat what is known of an object at rest: almost all of
 * them, on almost every hub. `onHub` is what the hub has by our records, from before the read of the hub;
 * it may lag, and then a report is taken that need not be.
 */
export async function withoutRepeated(
  deps: Deps,
  onHub: readonly ObjectOf[Kind][],
  news: News[],
): Promise<News[]> {
  const resting = new Map<Kind, Map<string, ObjectOf[Kind]>>();
  for (const kind of Object.keys(deps.observers) as Kind[])
    resting.set(kind, await atRest(deps, kind, onHub));
  return news.filter((item) => {
    const found = observerOf(deps.observers, item.kind);
    const known = found && resting.get(found.kind);
    for (const key of found?.observing.resting?.keysIn(item) ?? []) {
      const object = known?.get(key);
      if (object) return !isRepeated(found?.observer.last(object, item), item);
    }
    return true;
  });
}

/** The objects of a kind that are at rest, by the keys that reports about them have. */
async function atRest<K extends Kind>(
  deps: Deps,
  kind: K,
  onHub: readonly ObjectOf[Kind][],
): Promise<Map<string, ObjectOf[Kind]>> {
  const { resting } = deps.observers[kind] ?? {};
  if (!resting) return new Map();
  const ids = await resting.among(deps, onHub);
  const objects = onHub.filter(
    (each): each is ObjectOf[K] => each.kind === kind && ids.has(each.id),
  );
  return new Map(
    objects.flatMap((object) => resting.keysOf(object).map((key) => [key, object] as const)),
  );
}
