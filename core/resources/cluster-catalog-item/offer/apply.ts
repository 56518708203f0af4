import type { Violation } from "../../../error.ts";
import type { Json, JsonObject } from "../../../kernel/input/shape.ts";
import type { FieldDefinition, Offerable } from "./item.ts";
import { isAtOrUnder, leavesOf, withLeaf } from "./paths.ts";
import { refusalsBy } from "./schema.ts";

/**
 * An order's spec with the offer's fixed values and defaults. Adds a violation for each rule of the offer that the
 * order breaks. An offer without definitions restricts nothing.
 */
export function applied(
  offerable: Offerable,
  definitions: FieldDefinition[],
  spec: JsonObject,
  violations: Violation[],
): JsonObject {
  const leaves = leavesOf(offerable, spec);
  refuseValues(definitions, leaves, violations);
  for (const { path, editable, default: fallback } of definitions) {
    if (isSaid(leaves, path) || fallback !== undefined || !editable || offerable.isOptional(path))
      continue;
    const message = `field '${path}' is required but no value was provided and no default is defined`;
    violations.push({ field: `spec.${path}`, message });
  }
  return filledIn(offerable, definitions, spec);
}

/** A spec with defaults for the fields that it omits. */
export function filledIn(
  offerable: Pick<Offerable, "isLeaf">,
  definitions: FieldDefinition[],
  spec: JsonObject,
): JsonObject {
  const leaves = leavesOf(offerable, spec);
  return definitions.reduce(
    (whole, { path, default: fallback }) =>
      fallback === undefined || isSaid(leaves, path) ? whole : withLeaf(whole, path, fallback),
    spec,
  );
}

const isSaid = (leaves: ReadonlyMap<string, Json>, path: string): boolean =>
  [...leaves.keys()].some((leaf) => isAtOrUnder(leaf, path));

/** Adds a violation for each value at a field that is not editable, or that breaks the field's schema. */
export function refuseValues(
  definitions: FieldDefinition[],
  leaves: ReadonlyMap<string, Json>,
  violations: Violation[],
): void {
  if (definitions.length === 0) return;
  for (const [leaf, value] of leaves) {
    const refuse = (message: string) => violations.push({ field: `spec.${leaf}`, message });
    const definition = definitions.find(({ path }) => isAtOrUnder(leaf, path));
    if (!definition) refuse(`field '${leaf}' is not allowed by the catalog item`);
    else if (!definition.editable) refuse(`field '${definition.path}' is not editable`);
    else if (definition.validation_schema !== undefined) {
      for (const message of refusalsBy(definition.validation_schema, value))
        refuse(`validation failed for field '${leaf}': ${message}`);
    }
  }
}
