import * as z from "zod";
import type { StoredObject } from "../../../kernel/object/object.ts";
import { metadataSchema, metadataView, referenceSchema } from "../../../kernel/object/wire.ts";
import { osacOf } from "../../../kernel/object/wire-form.ts";
import { type CatalogItemKind, type CatalogItemSpec, fieldDefinitionSchema } from "./item.ts";

/** The members of an offer on the wire. Each kind of offer has its own schema, for the API reference to name. */
export const catalogItemMembers = {
  id: z.string().optional(),
  metadata: metadataSchema,
  title: z.string().optional().describe("A short title for people."),
  description: z.string().optional().describe("A description for people."),
  template: referenceSchema.describe("The template that it offers."),
  published: z.boolean().describe("Whether tenants may order it."),
  field_definitions: z
    .array(z.object(fieldDefinitionSchema.shape))
    .describe("The fields that an order may set, and their defaults."),
  tenants: z
    .array(z.string())
    .optional()
    .describe(
      "Names of the tenants that may order it; empty or absent means all. For administrators.",
    ),
};
type CatalogItemWire = z.output<z.ZodObject<typeof catalogItemMembers>>;

const catalogItemView = (
  item: StoredObject<CatalogItemKind, CatalogItemSpec, unknown>,
): CatalogItemWire => ({ id: item.id, metadata: metadataView(item), ...item.spec });

/** The offer for OSAC, whose items are for all tenants. */
const osacCatalogItem = ({ tenants: _, ...rest }: CatalogItemWire) => rest;

export const catalogItemWire = { view: catalogItemView, osac: osacOf(osacCatalogItem) };
