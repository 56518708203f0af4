import * as z from "zod";
import { idSchema, referenceInputSchema, systemMetadata } from "../../kernel/input/reference.ts";
import { metadataInputSchema, projectPathSchema } from "../../kernel/object/metadata.ts";
import { parentPath } from "../../kernel/object/project.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import { byName, referenceTo, resolve } from "../../kernel/request/resolve.ts";
import type { ProjectSpec } from "./kind.ts";
import { projectSchema } from "./wire.ts";

const schema = z.strictObject({
  id: idSchema.optional(),
  /** The name is a path; with `spec.parent`, it is only the part after the parent's path. */
  metadata: metadataInputSchema.extend({
    ...systemMetadata,
    name: projectPathSchema.describe(
      "A path, such as `shop.web`; with `spec.parent`, only the last name.",
    ),
  }),
  spec: z
    .strictObject({
      title: z.string().max(128).optional().describe("A short title for people."),
      description: z.string().max(1024).optional().describe("What the project is for."),
      parent: referenceInputSchema.optional().describe("The parent project."),
    })
    .optional(),
  status: z.unknown().optional(),
});
type Input = z.output<typeof schema>;

const rules: Definition<"project", Input> = {
  kind: "project",
  schema,
  tenant: "caller",
  async build(request) {
    const { input } = request;
    const { title, description } = input.spec ?? {};
    const { path, parent } = await placeOf(request);
    const spec: ProjectSpec = {
      ...(title ? { title } : {}),
      ...(description ? { description } : {}),
      ...(parent ? { parent } : {}),
    };
    return {
      spec,
      status: { state: "PROJECT_STATE_ACTIVE" },
      metadata: { name: path, ...(parent ? { project: parent.name } : {}) },
    };
  },
};

/** The project's path and its parent, from either form of a request. */
async function placeOf({ deps, tenant, input, before, violations }: Request<"project", Input>) {
  const { name, project } = input.metadata;
  const refuse = (field: string, message: string) => violations.push({ field, message });
  const wanted = input.spec?.parent;
  const given = wanted === undefined ? undefined : await resolve(deps, "project", tenant, wanted);
  if (wanted !== undefined && !given) refuse("spec.parent", "Project not found");
  const isShort = parentPath(name) === undefined && given !== undefined;
  const path = before?.metadata.name ?? (isShort ? `${given.metadata.name}.${name}` : name);
  if (!projectPathSchema.safeParse(path).success)
    refuse("metadata.name", "is too long or too deep together with its parent's");
  const above = parentPath(path);
  const parent = above === undefined ? undefined : await byName(deps, "project", tenant, above);
  if (above !== undefined && !parent) refuse("metadata.name", `project '${above}' doesn't exist`);
  if (given && given.metadata.name !== above)
    refuse("spec.parent", `must be '${above ?? ""}', as metadata.name says`);
  if (project && project !== above)
    refuse("metadata.project", "must be the path of the parent, or be left out");
  return { path, parent: parent && referenceTo(parent) };
}

export const api = { schema: projectSchema, rules } satisfies ApiOf<"project">;
