import {
  isKindIn,
  type KindDefinition,
  namesOf,
  definitionOf as ofKind,
} from "../../core/kernel/object/kind.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { asOsac, type Profile, render } from "../../core/kernel/object/view.ts";
import type { Wire } from "../../core/kernel/object/wire-form.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { wireForms } from "../../core/resources/generated/wire-forms.ts";

/** The registry of kinds for handlers. Schemas are in `schemas.ts`, for the few handlers that need them. */

export { kinds, wireForms };

export const definitionOf = <K extends Kind>(kind: K): KindDefinition<K> => ofKind(kinds, kind);
export const kindNames = namesOf(kinds);
export const isRegisteredKind = (name: string): name is Kind => isKindIn(kinds, name);

/** A stored object on the wire; `private` selects the form for administrators. */
export const view = (
  object: ObjectOf[Kind],
  options: { profile: Profile; private: boolean },
): Wire => render({ kinds, wireForms }, object, options);

/** Converts an answer of the slipway profile to the osac profile. */
export const osacForm = (kind: Kind, wire: Wire): Wire => asOsac(wireForms, kind, wire);
