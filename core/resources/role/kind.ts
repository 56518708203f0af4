import * as z from "zod";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { manage, type PermissionsOf, provided } from "../../kernel/request/permissions.ts";

/**
 * The roles that bindings can grant: names, given by the provider, for roles of the permission table. Only a token
 * makes somebody an administrator of the provider.
 */
export const grantableRoles = [
  "provider-viewer",
  "tenant-admin",
  "tenant-user",
  "project-manager",
  "project-viewer",
] as const;
export type GrantableRole = (typeof grantableRoles)[number];

interface RoleSpec {
  title?: string;
  description?: string;
  /** The role of the permission table behind this one. It cannot change, because bindings have a copy of it. */
  grants: GrantableRole;
}
type Role = StoredObject<"role", RoleSpec, Record<string, never>>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    role: Role;
  }
}

const schema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    title: z.string().optional().describe("A short title for people."),
    description: z.string().optional().describe("What the role is for."),
    grants: z.enum(grantableRoles).describe("The rights of users bound to the role."),
  }),
  status: z.object({}),
});

const input = inputSchema(
  z
    .strictObject({
      title: z.string().max(128).optional().describe("A short title for people."),
      description: z.string().max(1024).optional().describe("What the role is for."),
      grants: z
        .enum(grantableRoles)
        .optional()
        .describe(
          "The rights of users bound to the role; may be left out if the role has the same name.",
        ),
    })
    .optional(),
);

const rules: Definition<"role", z.output<typeof input>> = {
  kind: "role",
  schema: input,
  idIsName: "refused",
  tenant: "shared",
  async build({ input: { metadata, spec = {} }, before, violations }) {
    const { title, description } = spec;
    const named = grantableRoles.find((role) => role === metadata.name);
    const grants = spec.grants ?? named;
    const refuse = (message: string) => violations.push({ field: "spec.grants", message });
    if (!grants) refuse(`is required, one of ${grantableRoles.join(", ")}`);
    else if (before && before.spec.grants !== grants) refuse("field 'spec.grants' is immutable");
    return {
      spec: {
        ...(title ? { title } : {}),
        ...(description ? { description } : {}),
        grants: grants ?? "project-viewer",
      },
      status: {},
    };
  },
};

export const kind: KindDefinition<"role"> = {
  events: commonChanges,
  shared: {},
  referencedByOthers: { named: true },
};

export const permissions: PermissionsOf = { public: provided, private: manage };

export const wire: WireForm<"role"> = {
  view: (each): z.output<typeof schema> => ({
    id: each.id,
    metadata: metadataView(each),
    spec: each.spec,
    status: {},
  }),
  osac: osacOf(({ spec, ...wire }: z.output<typeof schema>) => {
    const { grants: _, ...rest } = spec;
    return { ...wire, spec: rest };
  }),
  inOsacEvents: true,
};

export const api = { schema, rules } satisfies ApiOf<"role">;

export const documentation: Documentation = {
  meaning: "The rights of users bound to the role.",
  groups: { public: "People", private: "Provider: people" },
  example: {
    metadata: { name: "operators" },
    spec: { title: "Operators", grants: "project-manager" },
  },
  answer: ofProvider("project-manager", { spec: { grants: "project-manager" }, status: {} }),
};
