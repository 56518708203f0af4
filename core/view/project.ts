import * as z from "zod";
import type { Project, ProjectMembership } from "../model/project.ts";
import { metadataSchema, metadataView, named, referenceSchema } from "./wire.ts";

export const projectSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    title: z.string().optional(),
    description: z.string().optional(),
    parent: referenceSchema.optional(),
  }),
  status: z.object({ state: z.enum(["PROJECT_STATE_PENDING", "PROJECT_STATE_ACTIVE"]) }),
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
    role: z.enum(["PROJECT_MEMBERSHIP_ROLE_VIEWER", "PROJECT_MEMBERSHIP_ROLE_MANAGER"]),
    users: z.array(referenceSchema),
  }),
  status: z.object({
    state: z.enum(["PROJECT_MEMBERSHIP_STATE_PENDING", "PROJECT_MEMBERSHIP_STATE_READY"]),
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
