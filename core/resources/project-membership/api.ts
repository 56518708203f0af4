import * as z from "zod";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import { memberKey } from "../../kernel/object/keys.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import type { Write } from "../../kernel/store/store.ts";
import { usernamesOf } from "../user/kind.ts";
import { type MembershipRole, membershipRoles, type ProjectMembership } from "./model.ts";
import { projectMembershipSchema } from "./wire.ts";

/** The limit lets one transaction remove all users and add as many. */
const maxUsers = 40;

const roles = membershipRoles.map((role) => `PROJECT_MEMBERSHIP_ROLE_${role}` as const) as [
  MembershipRole,
  ...MembershipRole[],
];

const schema = inputSchema(
  z.strictObject({
    role: z.enum(roles).describe("What its users may do in the project."),
    users: z
      .array(referenceInputSchema)
      .min(1)
      .max(maxUsers)
      .describe("The users who have the role in the project."),
  }),
);

const rules: Definition<"project_membership", z.output<typeof schema>> = {
  kind: "project_membership",
  schema,
  tenant: "caller",
  async build({ id, tenant, input, before, violations, references }) {
    const { role } = input.spec;
    const { project } = input.metadata;
    if (!project) violations.push({ field: "metadata.project", message: "is required" });
    const about = { references, violations };
    const users = await usernamesOf(about, "spec.users", input.spec.users, before?.spec.users);
    const gone = before?.spec.users.filter((user) => !users.includes(user)) ?? [];
    const writes: Write[] = [
      ...users.map((user) => ({
        put: { ...memberKey(tenant, user, id), project: project ?? "", role },
      })),
      ...gone.map((user) => ({ delete: memberKey(tenant, user, id) })),
    ];
    const status = { state: "PROJECT_MEMBERSHIP_STATE_READY" } as const;
    return { spec: { role, users }, status, ...(violations.length > 0 ? {} : { writes }) };
  },
  remove: async (_, membership) => entriesOf(membership),
};

const entriesOf = ({ id, metadata, spec }: ProjectMembership): Write[] =>
  spec.users.map((user) => ({ delete: memberKey(metadata.tenant, user, id) }));

export const api = {
  schema: projectMembershipSchema,
  rules,
} satisfies ApiOf<"project_membership">;
