import * as z from "zod";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import { memberKey } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { metadataSchema, metadataView, named, referenceSchema } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { type Documentation, exampleId, ofTenant } from "../../kernel/request/documentation.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { manage, managers, type PermissionsOf, read } from "../../kernel/request/permissions.ts";
import type { Write } from "../../kernel/store/store.ts";
import { usernamesOf } from "../user/kind.ts";

export const membershipRoles = ["VIEWER", "MANAGER"] as const;
export type MembershipRole = `PROJECT_MEMBERSHIP_ROLE_${(typeof membershipRoles)[number]}`;

/** The role of users in the project of the metadata, and in the projects below it. */
export interface ProjectMembershipSpec {
  role: MembershipRole;
  /** The users, by the names in their tokens. */
  users: string[];
}

export interface ProjectMembershipStatus {
  state: "PROJECT_MEMBERSHIP_STATE_READY";
}

export type ProjectMembership = StoredObject<
  "project_membership",
  ProjectMembershipSpec,
  ProjectMembershipStatus
>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    project_membership: ProjectMembership;
  }
}

export const kind: KindDefinition<"project_membership"> = {
  events: commonChanges,
  inProjects: true,
};

export const permissions: PermissionsOf = {
  public: { ...read, create: managers, update: managers, delete: managers },
  private: manage,
};

const projectMembershipSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    role: z
      .enum(["PROJECT_MEMBERSHIP_ROLE_VIEWER", "PROJECT_MEMBERSHIP_ROLE_MANAGER"])
      .describe("The role of its users in the project."),
    users: z.array(referenceSchema).describe("The users who have the role in the project."),
  }),
  status: z.object({
    state: z
      .enum(["PROJECT_MEMBERSHIP_STATE_PENDING", "PROJECT_MEMBERSHIP_STATE_READY"])
      .describe("Whether it is in effect."),
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

/** The limit lets one transaction replace all users by as many new ones. */
const maxUsers = 40;

const roles = membershipRoles.map((role) => `PROJECT_MEMBERSHIP_ROLE_${role}` as const) as [
  MembershipRole,
  ...MembershipRole[],
];

const schema = inputSchema(
  z.strictObject({
    role: z.enum(roles).describe("The role of its users in the project."),
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

export const documentation: Documentation = {
  meaning: "Who may do what in a project.",
  groups: { public: "People", private: "Provider: people" },
  example: {
    metadata: { name: "web-team", project: "web" },
    spec: { role: "PROJECT_MEMBERSHIP_ROLE_MANAGER", users: ["ann"] },
  },
  belongsToTenants: true,
  answer: ofTenant("web-team", {
    spec: { role: "PROJECT_MEMBERSHIP_ROLE_MANAGER", users: [{ id: exampleId, name: "ann" }] },
    status: { state: "PROJECT_MEMBERSHIP_STATE_READY" },
  }),
};
