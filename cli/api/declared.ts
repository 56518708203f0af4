import { namesOf } from "../../core/kernel/object/kind.ts";
import { apiOf, kindActionsOf } from "../../core/kernel/request/api-of.ts";
import { apiKinds } from "../../core/resources/generated/api-kinds.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import type { Declared } from "./document.ts";

/**
 * The actions of all kinds, for the generator and tests only: the CLI reads operations.json
 * instead.
 */
export const declaredActions: Declared = new Map(
  namesOf(kinds).flatMap((kind) =>
    Object.entries(kindActionsOf(apiOf(apiKinds, kind))).map(
      ([verb, action]) => [`${kind}.${verb}`, action] as const,
    ),
  ),
);
