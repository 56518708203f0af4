import type * as z from "zod";
import { kinds } from "../../resources/kinds.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import { publicPart } from "./public.ts";

/** `osac` leaves out what OSAC's clients do not know; for those that refuse unknown members. */
export const profiles = ["slipway", "osac"] as const;
export type Profile = (typeof profiles)[number];

export interface Wire {
  [member: string]: z.core.util.JSONType;
}

/** A stored object as the wire shows it; `private` to administrators. */
export function view<K extends Kind>(
  object: ObjectOf[K],
  options: { profile: Profile; private: boolean },
): Wire {
  const kind: K = object.kind as K;
  // Through JSON: undefined members are gone, and nothing in the answer is shared with the object.
  const whole = plain(kinds[kind].view(object));
  const wire = options.private ? whole : publicPart(kind, whole);
  return options.profile === "osac" ? asOsac(kind, wire) : wire;
}

/** What `view` rendered in the slipway profile, as the osac profile has it. Kinds that OSAC lacks stay as they are. */
export function asOsac(kind: Kind, wire: Wire): Wire {
  const { osac } = kinds[kind];
  return osac ? plain(osac(wire)) : wire;
}

const plain = (value: object): Wire => JSON.parse(JSON.stringify(value));
