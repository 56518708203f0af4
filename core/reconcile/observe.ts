import { timestamp } from "../clock.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import type { Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { load } from "../kernel/object/records.ts";
import { isOperated } from "../kernel/object/traits.ts";
import type { News } from "../ports/hub/news.ts";
import { isNewer, isRepeated, type Observation } from "../ports/hub/observation.ts";
import type {
  Concerned,
  ObserveDeps,
  Observer,
  Observers,
  Observing,
} from "../ports/hub/observer.ts";
import type { NewsKind } from "../ports/hub/reported-kinds.ts";

/**
 * Writes a report of one hub object into our record of it. Answers the object whose operation waits for the report, if
 * any. A report about an object of another hub is refused: a hub reports only its own objects. `readAt` (ms) is when a
 * direct read of the hub object began: a direct read overrides everything that was known by then, even a version that
 * seems later.
 */
export async function observe(
  deps: ObserveDeps,
  hub: string,
  news: News,
  readAt?: number,
): Promise<Concerned | undefined> {
  const about = { hub, kind: news.kind, name: news.object.metadata.name };
  const found = observerOf(deps.observers, news.kind);
  if (!found) {
    deps.log.warn(about, "no observer for objects of this kind");
    return undefined;
  }
  const { kind, observing, observer } = found;
  const id = await observer.find(deps, news);
  const object = id === undefined ? undefined : await load(deps, kind, id);
  if (!object || observing.hubOf(object) !== hub) {
    deps.log.warn(about, "a report of an object that this hub does not speak for");
    return undefined;
  }
  const observed = (current: ObjectOf[Kind]) =>
    observing.hubOf(current) === hub && counts(observer.last(current, news), news, readAt)
      ? observer.applied(current, news, timestamp(deps.clock.now()))
      : undefined;
  return follow(deps, kind, await changeObject(deps, kind, object.id, observed, object));
}

/**
 * Makes the changes that follow from an observation of an object, as just read or written. Answers the object whose
 * operation waits for it, if any.
 */
export async function follow(
  deps: ObserveDeps,
  kind: Kind,
  object: ObjectOf[Kind],
): Promise<Concerned | undefined> {
  const observing: Observing<Kind> | undefined = deps.observers[kind];
  if (observing?.follow) return observing.follow(deps, object);
  return isOperated(deps.kinds, kind) ? { kind, id: object.id } : undefined;
}

export interface Found {
  /** Our kind that observes the reported one. */
  kind: Kind;
  observing: Observing<Kind>;
  observer: Observer<Kind>;
}

/** The kind that observes a reported kind, and its observer. */
export function observerOf(observers: Observers, reported: NewsKind): Found | undefined {
  for (const kind of Object.keys(observers) as Kind[]) {
    const observing: Observing<Kind> | undefined = observers[kind];
    const observer = observing?.observers[reported];
    if (observer) return { kind, observing, observer };
  }
  return undefined;
}

/** Whether a report counts. A direct read is overridden by reports that came in since it began. */
function counts(known: Observation | undefined, news: News, readAt: number | undefined): boolean {
  if (known === undefined || isNewer(known, news)) return true;
  return !isRepeated(known, news) && readAt !== undefined && Date.parse(known.at) < readAt;
}
