import * as z from "zod";
import type { Violation } from "../../error.ts";
import { parseLeniently } from "../../kernel/input/parse.ts";
import { idSchema, referenceInputSchema, systemMetadata } from "../../kernel/input/reference.ts";
import { metadataInputSchema, nameSchema, sharedTenant } from "../../kernel/object/metadata.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import { referenceTo, resolve } from "../../kernel/request/resolve.ts";
import { clusterInputSchema } from "../cluster-template/order-input.ts";
import {
  type ClusterCatalogItemSpec,
  type FieldDefinition,
  fieldDefinitionSchema,
} from "./model.ts";
import { isAtOrUnder, isKnownPath, isLeafPath, withLeaf } from "./offer/paths.ts";
import { refusalsBy, schemaFaults } from "./offer/schema.ts";
import { clusterCatalogItemSchema } from "./wire.ts";

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  title: z.string().max(128).optional().describe("A short title for people."),
  description: z.string().max(1024).optional().describe("What one gets, for people."),
  template: referenceInputSchema.describe("The template that it offers."),
  published: z.boolean().optional().describe("Whether tenants are offered it; false by default."),
  field_definitions: z
    .array(fieldDefinitionSchema)
    .max(100)
    .optional()
    .describe("The fields that an order by this offer may set, and their defaults."),
  tenants: z
    .array(nameSchema)
    .max(1000)
    .optional()
    .describe("Names of the tenants that are offered it; empty means all."),
});
type Input = z.output<typeof schema>;

/** Shared items are the provider's; a tenant's administrators may make the tenant's own. */
const rules: Definition<"cluster_catalog_item", Input> = {
  kind: "cluster_catalog_item",
  schema,
  tenant: "caller",
  async build(request) {
    const { input, tenant, violations } = request;
    const { title, description, published = false, tenants = [] } = input;
    const definitions = input.field_definitions ?? [];
    definitions.forEach((definition, n) => {
      const others = definitions.filter((_, other) => other !== n).map(({ path }) => path);
      judge(definition, others, (member, message) =>
        violations.push({ field: `field_definitions[${n}].${member}`, message }),
      );
    });
    if (tenants.length > 0 && tenant !== sharedTenant)
      violations.push({
        field: "tenants",
        message: "an item of a tenant is for that tenant alone",
      });
    const template = await templateOf(request, violations);
    const spec: ClusterCatalogItemSpec = {
      ...(title ? { title } : {}),
      ...(description ? { description } : {}),
      template,
      published,
      field_definitions: definitions,
      tenants,
    };
    return { spec, status: {} };
  },
};

async function templateOf(
  { deps, tenant, input }: Request<"cluster_catalog_item", Input>,
  violations: Violation[],
) {
  const template = await resolve(deps, "cluster_template", tenant, input.template);
  if (template) return referenceTo(template);
  violations.push({ field: "template", message: "ClusterTemplate not found" });
  return { id: "", name: "" };
}

function judge(
  definition: FieldDefinition,
  others: string[],
  refuse: (member: keyof FieldDefinition, message: string) => void,
): void {
  const { path, editable, default: fallback, validation_schema } = definition;
  if (!isKnownPath(path)) {
    refuse("path", "is not a field of a cluster's spec that can be offered");
    return;
  }
  const above = others.find((other) => isAtOrUnder(path, other));
  if (above !== undefined) refuse("path", `is the same as '${above}', or below it`);
  if (!editable && fallback === undefined)
    refuse("default", "is required: the field is not editable");
  if (fallback !== undefined && path.startsWith("pull_secret"))
    refuse("default", "a secret cannot stand in an offer");
  else if (fallback !== undefined) {
    const said = parseLeniently(clusterInputSchema.shape.spec, withLeaf({}, path, fallback));
    for (const { message } of said.violations) refuse("default", message);
  }
  if (validation_schema === undefined) return;
  const faults = schemaFaults(validation_schema);
  for (const fault of faults) refuse("validation_schema", fault);
  if (!isLeafPath(path)) refuse("validation_schema", "is only possible for a single value");
  else if (faults.length === 0 && fallback !== undefined)
    for (const message of refusalsBy(validation_schema, fallback)) refuse("default", message);
}

export const api = {
  schema: clusterCatalogItemSchema,
  rules,
  offered: [{ path: "published", filter: "this.published" }],
  ignored: ["include_unpublished"],
} satisfies ApiOf<"cluster_catalog_item">;
