import type { Violation } from "../../error.ts";
import type { Metadata, MetadataInput } from "../object/metadata.ts";

/** The metadata of an object after a change; name, tenant and project are immutable. */
export function changedMetadata(
  before: Metadata,
  input: MetadataInput,
  violations: Violation[],
): Metadata {
  for (const member of ["name", "tenant", "project"] as const) {
    if ((input[member] ?? "") === (before[member] ?? "")) continue;
    const field = `metadata.${member}`;
    // An invalid value is not reported a second time as changed.
    if (violations.some((each) => each.field === field)) continue;
    violations.push({ field, message: `field '${field}' is immutable` });
  }
  return withMetadata(before, input);
}

/** The metadata with the changed values of its mutable members. */
function withMetadata(before: Metadata, input: MetadataInput): Metadata {
  const { display_name: _, description: __, ...rest } = before;
  return {
    ...rest,
    labels: input.labels ?? {},
    annotations: input.annotations ?? {},
    ...(input.display_name ? { display_name: input.display_name } : {}),
    ...(input.description ? { description: input.description } : {}),
  };
}
