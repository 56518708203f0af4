import * as z from "zod";
import type { Violation } from "../../error.ts";
import type { ReferenceInput } from "../../kernel/input/reference.ts";
import { userKey } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { sharedTenant } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { govern, manage, type PermissionsOf } from "../../kernel/request/permissions.ts";
import type { References } from "../../kernel/request/references.ts";
import { absent, any, eq, type Write } from "../../kernel/store/store.ts";

/**
 * A person of a tenant, in the records of the tenant's administrators. The issuer has their identity and password. A
 * user without a record may call the API; a disabled user may not.
 */
interface UserSpec {
  /** The username in their tokens. */
  username: string;
  email?: string;
  enabled: boolean;
}
type User = StoredObject<"user", UserSpec, Record<string, never>>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    user: User;
  }
}

const schema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    username: z.string().describe("The user in the person's tokens."),
    email: z.string().optional().describe("The person's mail address."),
    enabled: z.boolean().describe("Whether the person has access."),
  }),
  status: z.object({}),
});

const input = inputSchema(
  z
    .strictObject({
      username: z
        .string()
        .min(1)
        .max(253)
        .optional()
        .describe("The user in the person's tokens; `metadata.name` by default."),
      email: z.string().max(320).optional().describe("The person's mail address."),
      enabled: z.boolean().optional().describe("Whether the person has access; true by default."),
    })
    .optional(),
);

const rules: Definition<"user", z.output<typeof input>> = {
  kind: "user",
  schema: input,
  tenant: "caller",
  async build({ deps, id, tenant, input: { metadata, spec = {} }, before, violations }) {
    const { username = metadata.name, email, enabled = true } = spec;
    if (tenant === sharedTenant)
      violations.push({ field: "metadata.tenant", message: "is required: the tenant of the user" });
    const key = userKey(tenant, username);
    const holder = (await deps.store.get(key))?.user;
    if (holder !== undefined && holder !== id)
      violations.push({ field: "spec.username", message: `'${username}' belongs to another user` });
    const previous = before?.spec.username ?? username;
    const mine = any(absent, eq("user", id));
    const writes: Write[] = [
      { put: { ...key, user: id, enabled }, if: mine },
      ...(previous === username ? [] : [{ delete: userKey(tenant, previous), if: mine }]),
    ];
    return { spec: { username, ...(email ? { email } : {}), enabled }, status: {}, writes };
  },
  async remove(_, { metadata, spec }) {
    return [{ delete: userKey(metadata.tenant, spec.username) }];
  },
};

export const kind: KindDefinition<"user"> = {
  events: commonChanges,
};

export const permissions: PermissionsOf = { public: govern, private: manage };

export const wire: WireForm<"user"> = {
  view: (each): z.output<typeof schema> => ({
    id: each.id,
    metadata: metadataView(each),
    spec: each.spec,
    status: {},
  }),
};

export const api = { schema, rules } satisfies ApiOf<"user">;

export const documentation: Documentation = {
  meaning: "The people of a tenant.",
  groups: { public: "People", private: "Provider: people" },
  example: { metadata: { name: "ann" }, spec: { username: "ann", email: "ann@example.com" } },
  belongsToTenants: true,
  answer: ofTenant("ann", {
    spec: { username: "ann", email: "ann@example.com", enabled: true },
    status: {},
  }),
};

/**
 * The usernames in the tokens of the users that a request names: from their records, or from the reference if there is
 * no record. `before` are usernames that a client may return unchanged.
 */
export async function usernamesOf(
  { references, violations }: { references: References; violations: Violation[] },
  field: string,
  given: ReferenceInput[],
  before: string[] = [],
): Promise<string[]> {
  const names: string[] = [];
  for (const [n, reference] of given.entries()) {
    const said = typeof reference === "string" ? reference : reference.name || reference.id || "";
    const record = before.includes(said) ? undefined : await references.find("user", reference);
    const name = record?.spec.username ?? said;
    const refuse = (message: string) => violations.push({ field: `${field}[${n}]`, message });
    if (name === "") refuse("must name a user");
    else if (names.includes(name)) refuse("appears more than once");
    names.push(name);
  }
  return names;
}
