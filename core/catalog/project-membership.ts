import * as z from "zod";
import {
  idSchema,
  type ReferenceInput,
  referenceInputSchema,
  systemMetadata,
} from "../input/reference.ts";
import { metadataInputSchema } from "../model/metadata.ts";
import { type MembershipRole, membershipRoles, type ProjectMembership } from "../model/project.ts";
import { memberKey } from "../store/keys.ts";
import type { Write } from "../store/store.ts";
import type { Definition } from "./definition.ts";

/** A change may take all away and add as many, in one transaction. */
const maxUsers = 40;

const roles = membershipRoles.map((role) => `PROJECT_MEMBERSHIP_ROLE_${role}` as const) as [
  MembershipRole,
  ...MembershipRole[],
];

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  spec: z.strictObject({
    role: z.enum(roles),
    users: z.array(referenceInputSchema).min(1).max(maxUsers),
  }),
  status: z.unknown().optional(),
});

export const projectMemberships: Definition<"project_membership", z.output<typeof schema>> = {
  kind: "project_membership",
  schema,
  tenant: "caller",
  async build({ id, tenant, input, before, violations }) {
    const { role } = input.spec;
    const { project } = input.metadata;
    if (!project) violations.push({ field: "metadata.project", message: "is required" });
    const users = input.spec.users.map(userOf);
    for (const [n, user] of users.entries()) {
      const field = `spec.users[${n}]`;
      if (user === "") violations.push({ field, message: "must name a user" });
      else if (users.indexOf(user) < n) violations.push({ field, message: "is there twice" });
    }
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

/** Users go by the name in their tokens, which is their id as well. */
function userOf(reference: ReferenceInput): string {
  if (typeof reference === "string") return reference;
  return reference.name || reference.id || "";
}

const entriesOf = ({ id, metadata, spec }: ProjectMembership): Write[] =>
  spec.users.map((user) => ({ delete: memberKey(metadata.tenant, user, id) }));
