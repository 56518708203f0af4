import type { Deps } from "../deps.ts";
import { logCountKey, loggedKey, logKey } from "../object/keys.ts";
import { definitionOf } from "../object/kind.ts";
import { type Kind, pluralOf } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { optimistically } from "../object/records.ts";
import { type Rendering, render } from "../object/view.ts";
import { absent, eq } from "../store/store.ts";
import type { Event } from "./events.ts";
import { packedEvent } from "./log-entry.ts";

/** How long events are kept (seconds), for watchers that come back and to recognize repeated events. */
const kept = 7 * 24 * 3600;

/** The needs of publishing beside `Deps`: how each kind is shown, and who follows a tenant's log. */
export interface Publishing extends Deps, Rendering {
  /** Called after each new entry of a tenant's log, for example to continue its webhooks. Idempotent. */
  onLogged(deps: Deps, tenant: string): Promise<void>;
}

const hasEvents = ({ kinds }: Rendering, kind: Kind): boolean =>
  definitionOf(kinds, kind).events.length > 0;

/** The event that an object carries, in the form that its tenant sees. */
function eventOf(rendering: Rendering, object: ObjectOf[keyof ObjectOf]): Event {
  const { kind, id, event, metadata } = object;
  return {
    specversion: "1.0",
    id: `${id}.${event.sequence}`,
    source: "slipway",
    type: event.type,
    subject: `${pluralOf(kind)}/${id}`,
    time: event.time,
    tenant: metadata.tenant,
    sequence: event.sequence,
    datacontenttype: "application/json",
    data: {
      object: render(rendering, object, { profile: "slipway", private: false }),
      changed: event.changed,
      ...(event.by && { actor: event.by }),
    },
  };
}

/**
 * Publishes an object's last event: into its tenant's log once, under the log's own counter, and onto
 * the bus at least once. Harmless when repeated.
 */
export async function publish(deps: Publishing, object: ObjectOf[keyof ObjectOf]): Promise<void> {
  if (!hasEvents(deps, object.kind)) return;
  const event = eventOf(deps, object);
  await append(deps, object, event);
  await deps.onLogged(deps, event.tenant);
  await deps.bus.publish([event]);
}

/**
 * Publishes the event of an object's previous state if the stream record of that event was lost. An
 * event that is older than the log's memory is skipped, since nobody can tell whether it was published.
 */
export async function publishMissed(
  deps: Publishing,
  object: ObjectOf[keyof ObjectOf],
): Promise<void> {
  const { kind, id, event } = object;
  if (!hasEvents(deps, kind)) return;
  if (deps.clock.now() - Date.parse(event.time) > kept * 1000) return;
  const [logged, earlier] = await deps.store.getMany([
    loggedKey(kind, id, event.sequence),
    loggedKey(kind, id, event.sequence - 1),
  ]);
  if (logged) return;
  const isGap = event.sequence > 1 && !earlier;
  deps.log.warn(
    { kind, id, sequence: event.sequence, more: isGap },
    "an event was lost on its way",
  );
  await publish(deps, object);
}

async function append(deps: Deps, object: ObjectOf[keyof ObjectOf], event: Event): Promise<void> {
  const seen = loggedKey(object.kind, object.id, event.sequence);
  const counter = logCountKey(event.tenant);
  const expires = Math.floor(deps.clock.now() / 1000) + kept;
  await optimistically(deps.store, async () => {
    const [logged, count] = await deps.store.getMany([seen, counter]);
    if (logged) return { writes: [], result: undefined };
    const last = typeof count?.last === "number" ? count.last : 0;
    const position = last + 1;
    return {
      writes: [
        { put: { ...counter, last: position }, if: count ? eq("last", last) : absent },
        {
          put: { ...logKey(event.tenant, position), position, event: packedEvent(event), expires },
        },
        { put: { ...seen, position, expires }, if: absent },
      ],
      result: undefined,
    };
  });
}
