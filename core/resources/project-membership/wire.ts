import * as z from "zod";
import { named } from "../../kernel/object/named.ts";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import type { ProjectMembership } from "./model.ts";

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

function projectMembershipView(
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

export const wire: WireForm<"project_membership"> = {
  view: projectMembershipView,
};
