import * as z from "zod";
import type { Violation } from "../../../error.ts";
import { parseLeniently } from "../../../kernel/input/parse.ts";
import { idSchema, referenceInputSchema, systemMetadata } from "../../../kernel/input/reference.ts";
import { metadataInputSchema, nameSchema, sharedTenant } from "../../../kernel/object/metadata.ts";
import { type Kind, typeNameOf } from "../../../kernel/object/object.ts";
import type { Request } from "../../../kernel/request/definition.ts";
import { referenceTo, resolve } from "../../../kernel/request/resolve.ts";
import { filledIn } from "./apply.ts";
import {
  type CatalogItemKind,
  type CatalogItemSpec,
  type FieldDefinition,
  fieldDefinitionSchema,
  type Offerable,
} from "./item.ts";
import { isAtOrUnder } from "./paths.ts";
import { refusalsBy, schemaFaults } from "./schema.ts";

/** The members of a request for an offer. */
export const catalogItemInputMembers = {
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  title: z.string().max(128).optional().describe("A short title for people."),
  description: z.string().max(1024).optional().describe("A description for people."),
  template: referenceInputSchema.describe("The template that it offers."),
  published: z.boolean().optional().describe("Whether tenants may order it; false by default."),
  field_definitions: z
    .array(fieldDefinitionSchema)
    .max(100)
    .optional()
    .describe("The fields that an order may set, and their defaults."),
  tenants: z
    .array(nameSchema)
    .max(1000)
    .optional()
    .describe("Names of the tenants that may order it; empty means all."),
};
export type CatalogItemInput = z.output<z.ZodObject<typeof catalogItemInputMembers>>;

type Asked = Pick<
  Request<CatalogItemKind, CatalogItemInput>,
  "deps" | "tenant" | "input" | "violations"
>;

/**
 * The spec of the offer in a request. The provider makes shared items; a tenant's administrators may make items of
 * their own.
 */
export async function offered(
  asked: Asked,
  templates: Kind,
  offerable: Offerable,
): Promise<CatalogItemSpec> {
  const { input, tenant, violations } = asked;
  const { title, description, published = false, tenants = [] } = input;
  const definitions = input.field_definitions ?? [];
  const faults = faultsOfDefaults(offerable, definitions);
  definitions.forEach((definition, n) => {
    const others = definitions.filter((_, other) => other !== n).map(({ path }) => path);
    judge(offerable, definition, { others, faults }, (member, message) =>
      violations.push({ field: `field_definitions[${n}].${member}`, message }),
    );
  });
  if (tenants.length > 0 && tenant !== sharedTenant)
    violations.push({
      field: "tenants",
      message: "an item of a tenant is for that tenant alone",
    });
  return {
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    template: await templateOf(asked, templates),
    published,
    field_definitions: definitions,
    tenants,
  };
}

async function templateOf({ deps, tenant, input, violations }: Asked, templates: Kind) {
  const template = await resolve(deps, templates, tenant, input.template);
  if (template) return referenceTo(template);
  violations.push({ field: "template", message: `${typeNameOf(templates)} not found` });
  return { id: "", name: "" };
}

/** The faults in an order that sets nothing itself and has only the offer's values. */
function faultsOfDefaults(offerable: Offerable, definitions: FieldDefinition[]): Violation[] {
  const known = definitions.filter(({ path }) => offerable.isKnown(path));
  const spec = filledIn(offerable, known, {});
  const { violations } = parseLeniently(offerable.schema(), spec);
  return [...violations, ...(offerable.faults?.(spec) ?? [])];
}

/**
 * Whether a fault at this field concerns the value at a path: the field is the path itself, one of
 * its members, or one of its containers.
 */
const isOf = (field: string, path: string): boolean =>
  isAtOrUnder(field, path) || field.startsWith(`${path}[`) || isAtOrUnder(path, field);

function judge(
  offerable: Offerable,
  definition: FieldDefinition,
  { others, faults }: { others: string[]; faults: Violation[] },
  refuse: (member: keyof FieldDefinition, message: string) => void,
): void {
  const { path, editable, default: fallback, validation_schema } = definition;
  if (!offerable.isKnown(path)) {
    refuse("path", `is not a field of ${offerable.what}'s spec that can be offered`);
    return;
  }
  const above = others.find((other) => isAtOrUnder(path, other));
  if (above !== undefined) refuse("path", `is the same as '${above}', or below it`);
  for (const other of offerable.needs?.[path] ?? [])
    if (!others.includes(other))
      refuse("path", `needs ${other} beside it: no order can have the one without the other`);
  if (!editable && fallback === undefined)
    refuse("default", "is required: the field is not editable");
  if (fallback !== undefined && offerable.isSecret(path))
    refuse("default", "an offer cannot contain a secret");
  else if (fallback !== undefined) {
    for (const { field, message } of faults) if (isOf(field, path)) refuse("default", message);
  }
  if (validation_schema === undefined) return;
  const misreadings = schemaFaults(validation_schema);
  for (const fault of misreadings) refuse("validation_schema", fault);
  if (!offerable.isLeaf(path)) refuse("validation_schema", "is only possible for a single value");
  else if (misreadings.length === 0 && fallback !== undefined)
    for (const message of refusalsBy(validation_schema, fallback)) refuse("default", message);
}
