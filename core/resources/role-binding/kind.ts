import * as z from "zod";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import { bindingKey, groupBindingKey } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Reference, sharedTenant } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { metadataSchema, metadataView, named, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { governed, manage, type PermissionsOf } from "../../kernel/request/permissions.ts";
import type { Key, Write } from "../../kernel/store/store.ts";
import type { GrantableRole } from "../role/kind.ts";
import { usernamesOf } from "../user/kind.ts";

/**
 * Grants a role to users and groups of a tenant: in the whole tenant, or in a project and the projects below it. Each
 * user and group has an entry, in which a request finds its rights (`authorize.ts`).
 */
interface RoleBindingSpec {
  role: Reference;
  /** The users, by the names in their tokens. */
  users: string[];
  /** The groups, by their names in the tokens of their members. */
  groups: string[];
}
interface RoleBindingStatus {
  state: "ROLE_BINDING_STATE_READY";
}
type RoleBinding = StoredObject<"role_binding", RoleBindingSpec, RoleBindingStatus>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    role_binding: RoleBinding;
  }
}

const schema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    role: referenceSchema.describe("The role that is given."),
    users: z.array(referenceSchema).describe("Users who have the role."),
    groups: z
      .array(z.string())
      .optional()
      .describe("Groups of the tenant's identity provider who have the role."),
  }),
  status: z.object({
    state: z
      .enum(["ROLE_BINDING_STATE_PENDING", "ROLE_BINDING_STATE_READY"])
      .describe("Whether it is in effect."),
  }),
});

/** The limit lets one transaction replace all users by as many new ones. */
const most = 40;

const input = inputSchema(
  z.strictObject({
    role: referenceInputSchema.describe("The role to give."),
    users: z
      .array(referenceInputSchema)
      .max(most)
      .optional()
      .describe("Users to give the role to."),
    groups: z
      .array(z.string().min(1).max(253))
      .max(most)
      .optional()
      .describe("Groups of the tenant's identity provider to give the role to."),
  }),
);
type Input = z.output<typeof input>;

const rules: Definition<"role_binding", Input> = {
  kind: "role_binding",
  schema: input,
  tenant: "caller",
  async build(request) {
    const { id, tenant, before, violations, references } = request;
    const refuse = (field: string, message: string) => violations.push({ field, message });
    if (tenant === sharedTenant) refuse("metadata.tenant", "is required: the tenant of the users");
    const role = await references.resolve("spec.role", "role", request.input.spec.role);
    if (role) refuseOutOfPlace(request, role.spec.grants);
    const users = await usernamesOf(
      request,
      "spec.users",
      request.input.spec.users ?? [],
      before?.spec.users,
    );
    const groups = [...new Set(request.input.spec.groups)];
    if (users.length + groups.length > most)
      refuse("spec", `names more than ${most} users and groups`);
    if (users.length + groups.length === 0) refuse("spec.users", "must name a user or a group");
    const spec: RoleBindingSpec = {
      role: { id: role?.id ?? "", name: role?.metadata.name ?? "" },
      users,
      groups,
    };
    const status = { state: "ROLE_BINDING_STATE_READY" } as const;
    if (!role || violations.length > 0) return { spec, status };
    const entry: Record<string, string> = { role: role.spec.grants, ...projectIn(request) };
    const kept = keysOf(tenant, id, spec);
    const gone = before ? keysOf(tenant, id, before.spec) : new Map<string, Key>();
    const writes: Write[] = [
      ...[...kept.values()].map((key) => ({ put: { ...key, ...entry } })),
      ...[...gone].flatMap(([who, key]) => (kept.has(who) ? [] : [{ delete: key }])),
    ];
    return { spec, status, writes };
  },
  async remove(_, { id, metadata, spec }) {
    return [...keysOf(metadata.tenant, id, spec).values()].map((key) => ({ delete: key }));
  },
};

const projectIn = ({
  input: { metadata },
}: Request<"role_binding", Input>): Partial<Record<"project", string>> =>
  metadata.project ? { project: metadata.project } : {};

/**
 * Refuses a role in the wrong scope: a role for projects needs a project, and only the provider grants roles that can
 * see every tenant.
 */
function refuseOutOfPlace(request: Request<"role_binding", Input>, grants: GrantableRole): void {
  const { caller, violations } = request;
  const { project } = projectIn(request);
  const isOfProjects = grants === "project-manager" || grants === "project-viewer";
  const refuse = (field: string, message: string) => violations.push({ field, message });
  if (isOfProjects && project === undefined)
    refuse("metadata.project", `is required: ${grants} is a role in projects`);
  if (!isOfProjects && project !== undefined)
    refuse("metadata.project", `must be left out: ${grants} is a role in the whole tenant`);
  if (grants === "provider-viewer" && !caller.everywhere)
    refuse("spec.role", `only the provider may grant the role ${grants}`);
}

/** The keys of a binding's entries, by user or group. */
const keysOf = (tenant: string, id: string, { users, groups }: RoleBindingSpec): Map<string, Key> =>
  new Map([
    ...users.map((user) => [`user ${user}`, bindingKey(tenant, user, id)] as const),
    ...groups.map((group) => [`group ${group}`, groupBindingKey(tenant, group, id)] as const),
  ]);

export const kind: KindDefinition<"role_binding"> = {
  events: commonChanges,
  inProjects: true,
  references: ({ spec }) => [{ kind: "role", id: spec.role.id }],
};

export const permissions: PermissionsOf = { public: governed, private: manage };

export const wire: WireForm<"role_binding"> = {
  view: (binding): z.output<typeof schema> => ({
    id: binding.id,
    metadata: metadataView(binding),
    spec: { ...binding.spec, users: binding.spec.users.map(named) },
    status: binding.status,
  }),
  osac: osacOf(({ spec, ...wire }: z.output<typeof schema>) => {
    const { groups: _, ...rest } = spec;
    return { ...wire, spec: rest };
  }),
  inOsacEvents: true,
};

export const api = { schema, rules } satisfies ApiOf<"role_binding">;

export const documentation: Documentation = {
  meaning: "Who is bound to which role.",
  groups: { public: "People", private: "Provider: people" },
  example: {
    metadata: { name: "web-team" },
    spec: { role: "support", groups: ["web-team"] },
  },
  belongsToTenants: true,
  answer: ofTenant("web-team", {
    spec: { role: referred("project-manager"), users: [], groups: ["web-team"] },
    status: { state: "ROLE_BINDING_STATE_READY" },
  }),
};
