import type * as z from "zod";
import type { Kinds } from "./kind.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import { publicPart } from "./public.ts";
import type { WireForms } from "./wire-form.ts";

/** `osac` leaves out what OSAC's clients do not know; for those that refuse unknown members. */
export const profiles = ["slipway", "osac"] as const;
export type Profile = (typeof profiles)[number];

export interface Wire {
  [member: string]: z.core.util.JSONType;
}

/** What renders objects needs of every kind. */
export interface Rendering {
  kinds: Kinds;
  wireForms: WireForms;
}

/** A stored object as the wire shows it; `private` to administrators. */
export function render<K extends Kind>(
  { kinds, wireForms }: Rendering,
  object: ObjectOf[K],
  options: { profile: Profile; private: boolean },
): Wire {
  const kind: K = object.kind as K;
  // Through JSON: undefined members are gone, and nothing in the answer is shared with the object.
  const whole = plain(wireForms[kind].view(object));
  const wire = options.private ? whole : publicPart(kinds, kind, whole);
  return options.profile === "osac" ? asOsac(wireForms, kind, wire) : wire;
}

/** What was rendered in the slipway profile, as the osac profile has it. Kinds that OSAC lacks stay as they are. */
export function asOsac(wireForms: WireForms, kind: Kind, wire: Wire): Wire {
  const { osac } = wireForms[kind];
  return osac ? plain(osac(wire)) : wire;
}

const plain = (value: object): Wire => JSON.parse(JSON.stringify(value));
