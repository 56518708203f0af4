import * as z from "zod";
import type { Event } from "../../core/kernel/events/events.ts";
import type { JsonObject } from "../../core/kernel/input/shape.ts";
import { type Kind, pluralOf } from "../../core/kernel/object/object.ts";
import type { Profile } from "../../core/kernel/object/view.ts";
import { wireFormOf } from "../../core/kernel/object/wire-form.ts";
import { definitionOf, kindNames, osacForm, wireForms } from "./registry.ts";
import { wireSchemas } from "./schemas.ts";

/** Events in the form of OSAC's stream (docs/reference/osac-rest.md §3, Event). */

/** OSAC's event types by number; filters use their names as constants. */
export const osacEventTypes = [
  "EVENT_TYPE_OBJECT_CREATED",
  "EVENT_TYPE_OBJECT_UPDATED",
  "EVENT_TYPE_OBJECT_DELETED",
] as const;

/** An event as a line of JSON. Its object is the member named after the kind. */
export const watchEventSchema = z.lazy(() =>
  z.object({
    id: z.string().describe("Unique; a repeated event has the same id."),
    type: z.enum(osacEventTypes).describe("Whether the object was made, changed or deleted."),
    ...Object.fromEntries(
      kindNames
        .filter((kind) => definitionOf(kind).events.length > 0)
        .map((kind) => [
          kind,
          wireSchemas.public(kind).optional().describe(`The ${kind}, of its event.`),
        ]),
    ),
  }),
);

/** The kind that the event is about; undefined for an unknown kind. */
export function eventKindOf(event: Event): Kind | undefined {
  const plural = event.subject.split("/")[0];
  return kindNames.find((kind) => pluralOf(kind) === plural);
}

/** An event in OSAC's form; undefined for a kind that the profile does not know. */
export function osacEvent(event: Event, profile: Profile): JsonObject | undefined {
  const kind = eventKindOf(event);
  if (!kind || (profile === "osac" && !wireFormOf(wireForms, kind).inOsacEvents)) return undefined;
  const { object } = event.data;
  return {
    id: event.id,
    type: osacType(event.type),
    [kind]: profile === "osac" ? osacForm(kind, object) : object,
  };
}

function osacType(type: string): (typeof osacEventTypes)[number] {
  if (type.endsWith(".created.v1")) return "EVENT_TYPE_OBJECT_CREATED";
  return type.endsWith(".deleted.v1") ? "EVENT_TYPE_OBJECT_DELETED" : "EVENT_TYPE_OBJECT_UPDATED";
}
