import * as z from "zod";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import type { Project } from "./kind.ts";

export const projectSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    title: z.string().optional().describe("A short title for people."),
    description: z.string().optional().describe("What the project is for."),
    parent: referenceSchema.optional().describe("The parent project."),
  }),
  status: z.object({
    state: z
      .enum(["PROJECT_STATE_PENDING", "PROJECT_STATE_ACTIVE"])
      .describe("Whether it can be used."),
  }),
});
type ProjectWire = z.output<typeof projectSchema>;

function projectView(project: Project): ProjectWire {
  const { id, spec, status } = project;
  return { id, metadata: metadataView(project), spec, status };
}

/** The project for OSAC, whose parent is only in its path. */
function osacProject({ spec, ...rest }: ProjectWire) {
  const { parent: _, ...osacSpec } = spec;
  return { ...rest, spec: osacSpec };
}

export const wire: WireForm<"project"> = {
  view: projectView,
  osac: osacOf(osacProject),
  inOsacEvents: true,
};
