import * as z from "zod";
import type { Violation } from "../../../error.ts";
import type { JsonObject } from "../../../kernel/input/shape.ts";
import type { Reference } from "../../../kernel/object/metadata.ts";
import type { KindWith } from "../../../kernel/object/traits.ts";

/** An offer over a template of any kind: the fields that an order may set, their defaults, and the fixed ones. */
export const fieldDefinitionSchema = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(253)
    .describe("Path below the spec of an order, such as `template_parameters.owner`."),
  display_name: z.string().max(128).optional().describe("The field's name on a form."),
  editable: z
    .boolean()
    .optional()
    .describe("Whether an order may set it; one that may not needs a default."),
  default: z.json().optional().describe("The default value."),
  validation_schema: z
    .string()
    .max(16_384)
    .optional()
    .describe("JSON Schema of the value, as text."),
});
export type FieldDefinition = z.infer<typeof fieldDefinitionSchema>;

/** What is offered. The wire form has no `spec` member, like OSAC's. */
export interface CatalogItemSpec {
  title?: string;
  description?: string;
  template: Reference;
  published: boolean;
  /** If empty, an order may set whatever the template allows. */
  field_definitions: FieldDefinition[];
  /** Of a shared item: the only tenants that it is for; empty means all. */
  tenants: string[];
}

/** Kinds of offers. */
export type CatalogItemKind = KindWith<{ spec: CatalogItemSpec }>;

/** Whether a shared item is for a tenant to see. */
export const isOffered = (
  { published, tenants }: Pick<CatalogItemSpec, "published" | "tenants">,
  tenant: string,
): boolean => published && (tenants.length === 0 || tenants.includes(tenant));

/** What the orders of a kind let offers say of their spec. */
export interface Offerable {
  /** What is ordered, such as `a cluster`. */
  what: string;
  /** Whether an offer may name this path below the spec. */
  isKnown(path: string): boolean;
  /** Whether a value is at this path; the members above it only hold it. */
  isLeaf(path: string): boolean;
  /** Whether an order may leave out this field although nobody has a default of it. */
  isOptional(path: string): boolean;
  /** Whether the values of this field are not an offer's to give. */
  isSecret(path: string): boolean;
  /** The schema of the spec. */
  schema(): z.ZodType;
  /** What else is wrong with the values of an order, as far as they alone say. */
  faults?(spec: JsonObject): Violation[];
  /** Fields without which an order cannot have a field. */
  needs?: Readonly<Record<string, readonly string[]>>;
}
