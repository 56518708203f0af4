import type { Kinds } from "./kind.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import { publicPart } from "./public.ts";
import { type Wire, type WireForms, wireFormOf } from "./wire-form.ts";

/** `osac` leaves out members that OSAC's clients do not know, because some clients refuse unknown members. */
export const profiles = ["slipway", "osac"] as const;
export type Profile = (typeof profiles)[number];

/** How the API shows each kind, for code that renders objects. */
export interface Rendering {
  kinds: Kinds;
  wireForms: WireForms;
}

/** A stored object in its wire form; `private`: the form for administrators. */
export function render<K extends Kind>(
  { kinds, wireForms }: Rendering,
  object: ObjectOf[K],
  options: { profile: Profile; private: boolean },
): Wire {
  const kind: K = object.kind as K;
  // The conversion through JSON drops undefined members and copies the rest.
  const whole = plain(wireFormOf(wireForms, kind).view(object));
  const wire = options.private ? whole : publicPart(kinds, kind, whole);
  return options.profile === "osac" ? asOsac(wireForms, kind, wire) : wire;
}

/**
 * Converts an answer of the slipway profile to the osac profile. Answers of kinds that OSAC lacks do
 * not change.
 */
export function asOsac(wireForms: WireForms, kind: Kind, wire: Wire): Wire {
  const { osac } = wireFormOf(wireForms, kind);
  return osac ? plain(osac(wire)) : wire;
}

const plain = (value: object): Wire => JSON.parse(JSON.stringify(value));
