import * as z from "zod";
import { metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { osacParameter, parameterShownSchema } from "../cluster-template/parameter-shown.ts";
import { instanceContentShown } from "./kind.ts";
import type { BaremetalInstanceTemplate } from "./model.ts";
import { imageShownSchema, osacImage } from "./order-input.ts";

export const instanceTemplateSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  title: z.string().optional().describe("A short title for people."),
  description: z.string().optional().describe("A description for people."),
  parameters: z.array(parameterShownSchema).describe("Parameters that an order may or must set."),
  host_type: z.string().describe("Name of the instance type."),
  spec_defaults: z
    .object({ image: imageShownSchema.optional().describe("The image to boot.") })
    .describe("Defaults of orders."),
});
type Wire = z.output<typeof instanceTemplateSchema>;

const instanceTemplateView = (template: BaremetalInstanceTemplate): Wire => ({
  id: template.id,
  metadata: metadataView(template),
  ...instanceContentShown(template),
});

const osacInstanceTemplate = ({ parameters, spec_defaults: { image }, ...rest }: Wire) => ({
  ...rest,
  parameters: parameters.map(osacParameter),
  spec_defaults: image ? { image: osacImage(image) } : {},
});

export const wire: WireForm<"baremetal_instance_template"> = {
  view: instanceTemplateView,
  osac: osacOf(osacInstanceTemplate),
};
