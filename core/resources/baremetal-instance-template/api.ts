import * as z from "zod";
import { fieldOf } from "../../kernel/input/field.ts";
import { idSchema, referenceInputSchema, systemMetadata } from "../../kernel/input/reference.ts";
import { metadataInputSchema } from "../../kernel/object/metadata.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { parametersIssues } from "../cluster-template/content/parameters.ts";
import { parameterInputSchema, parametersOf } from "../cluster-template/parameter-input.ts";
import { imageSchema } from "./order-input.ts";
import { instanceTemplateSchema } from "./wire.ts";

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  title: z.string().max(128).optional().describe("A short title for people."),
  description: z.string().max(1024).optional().describe("A description for people."),
  parameters: z
    .array(parameterInputSchema)
    .max(100)
    .optional()
    .describe("Parameters that an order may or must set."),
  host_type: referenceInputSchema.describe("The type of server (`bare_metal_instance_types`)."),
  spec_defaults: z
    .strictObject({ image: imageSchema.optional().describe("The image to boot.") })
    .optional()
    .describe("Defaults of orders."),
});

const rules: Definition<"baremetal_instance_template", z.output<typeof schema>> = {
  kind: "baremetal_instance_template",
  schema,
  nameFromId: true,
  tenant: "caller",
  async build({ input, before, violations, references }) {
    const { title, description, host_type, spec_defaults } = input;
    const type = await references.resolve("host_type", "bare_metal_instance_type", host_type);
    const parameters = parametersOf(input.parameters ?? [], before?.spec.parameters, violations);
    for (const { path, message } of parametersIssues(parameters))
      violations.push({ field: fieldOf(["parameters", ...path]), message });
    const spec = {
      ...(title ? { title } : {}),
      ...(description ? { description } : {}),
      parameters,
      host_type: type?.id ?? "",
      ...(spec_defaults?.image ? { image: spec_defaults.image } : {}),
    };
    return { spec, status: {} };
  },
};

export const api = {
  schema: instanceTemplateSchema,
  rules,
} satisfies ApiOf<"baremetal_instance_template">;
