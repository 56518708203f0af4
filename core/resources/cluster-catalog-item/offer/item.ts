import * as z from "zod";
import type { Violation } from "../../../error.ts";
import type { JsonObject } from "../../../kernel/input/shape.ts";
import type { Reference } from "../../../kernel/object/metadata.ts";
import type { KindWith } from "../../../kernel/object/traits.ts";

/** A field in an offer over a template of any kind: open to orders, with a default, or fixed. */
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
    .describe("Whether an order may set it; otherwise it needs a default."),
  default: z.json().optional().describe("The default value."),
  validation_schema: z
    .string()
    .max(16_384)
    .optional()
    .describe("JSON Schema of the value, as text."),
});
export type FieldDefinition = z.infer<typeof fieldDefinitionSchema>;

/** The content of an offer. Its wire form has no `spec` member, like OSAC's. */
export interface CatalogItemSpec {
  title?: string;
  description?: string;
  template: Reference;
  published: boolean;
  /** If empty, an order may set everything that the template allows. */
  field_definitions: FieldDefinition[];
  /** For a shared item: the only tenants that may order by it; empty means all. */
  tenants: string[];
}

/** The kinds of offers. */
export type CatalogItemKind = KindWith<{ spec: CatalogItemSpec }>;

/** Whether a tenant may see a shared item. */
export const isOffered = (
  { published, tenants }: Pick<CatalogItemSpec, "published" | "tenants">,
  tenant: string,
): boolean => published && (tenants.length === 0 || tenants.includes(tenant));

/** The rules for the fields that offers can set in the spec of a kind of order. */
export interface Offerable {
  /** The name of the ordered thing, such as `a cluster`. */
  what: string;
  /** Whether an offer may name this path below the spec. */
  isKnown(path: string): boolean;
  /** Whether a value is at this path; higher members only contain values. */
  isLeaf(path: string): boolean;
  /** Whether an order may omit this field even if nothing has a default for it. */
  isOptional(path: string): boolean;
  /** Whether an offer must not contain values of this field, because they are secret. */
  isSecret(path: string): boolean;
  /** The schema of the spec. */
  schema(): z.ZodType;
  /** Further faults in the values of an order that can be found without other objects. */
  faults?(spec: JsonObject): Violation[];
  /** By field, the other fields that an offer with it has to have too. */
  needs?: Readonly<Record<string, readonly string[]>>;
}
