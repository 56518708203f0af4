import {
  isKindIn,
  type KindDefinition,
  namesOf,
  definitionOf as ofKind,
} from "../../core/kernel/object/kind.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { asOsac, type Profile, render, type Wire } from "../../core/kernel/object/view.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { wireForms } from "../../core/resources/generated/wire-forms.ts";

/** The registry of kinds, as handlers use it. Schemas are in `schemas.ts`, for the few that need them. */

export { kinds, wireForms };

export const definitionOf = <K extends Kind>(kind: K): KindDefinition<K> => ofKind(kinds, kind);
export const kindNames = namesOf(kinds);
export const isKind = (name: string): name is Kind => isKindIn(kinds, name);

/** A stored object as the wire shows it; `private` to administrators. */
export const view = (
  object: ObjectOf[Kind],
  options: { profile: Profile; private: boolean },
): Wire => render({ kinds, wireForms }, object, options);

/** What was rendered in the slipway profile, as the osac profile has it. */
export const osacForm = (kind: Kind, wire: Wire): Wire => asOsac(wireForms, kind, wire);
