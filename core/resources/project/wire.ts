import * as z from "zod";
import { metadataSchema, metadataView, named, referenceSchema } from "../../kernel/object/wire.ts";
import type { Project, ProjectMembership } from "./model.ts";

export const projectSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    title: z.string().optional().describe("A short title for people."),
    description: z.string().optional().describe("What the project is for."),
    parent: referenceSchema.optional().describe("The project that it is a part of."),
  }),
  status: z.object({
    state: z
      .enum(["PROJECT_STATE_PENDING", "PROJECT_STATE_ACTIVE"])
      .describe("Whether it can be used."),
  }),
});
type ProjectWire = z.output<typeof projectSchema>;

export function projectView(project: Project): ProjectWire {
  const { id, spec, status } = project;
  return { id, metadata: metadataView(project), spec, status };
}

/** OSAC's projects say their parent in their names only. */
export function osacProject({ spec, ...rest }: ProjectWire) {
  const { parent: _, ...osacSpec } = spec;
  return { ...rest, spec: osacSpec };
}

export const projectMembershipSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    role: z
      .enum(["PROJECT_MEMBERSHIP_ROLE_VIEWER", "PROJECT_MEMBERSHIP_ROLE_MANAGER"])
      .describe("What its users may do in the project."),
    users: z.array(referenceSchema).describe("The users who have the role in the project."),
  }),
  status: z.object({
    state: z
      .enum(["PROJECT_MEMBERSHIP_STATE_PENDING", "PROJECT_MEMBERSHIP_STATE_READY"])
      .describe("Whether it holds already."),
  }),
});

export function projectMembershipView(
  membership: ProjectMembership,
): z.output<typeof projectMembershipSchema> {
  const { id, spec, status } = membership;
  const { role, users } = spec;
  return {
    id,
    metadata: metadataView(membership),
    spec: { role, users: users.map(named) },
    status,
  };
}
