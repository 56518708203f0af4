import * as z from "zod";
import { idSchema, systemMetadata } from "../../kernel/input/reference.ts";
import { neverAnswered } from "../../kernel/input/text.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { metadataInputSchema } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { masked, metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";
import { manage, ordered, type PermissionsOf } from "../../kernel/request/permissions.ts";
import type { SecretDeps } from "../../ports/secrets/secrets.ts";
import { type Secrets, secretReference } from "../../ports/secrets/secrets.ts";

/**
 * Values that clients can write but not read. They are in the secret store, for orders to name; the record has only
 * their keys.
 */
interface SecretSpec {
  /** The keys of the values. */
  keys: string[];
  /** Reference into the secret store: JSON with the values in base64, as the client sent them. */
  values: string;
}
type Secret = StoredObject<"secret", SecretSpec, Record<string, never>>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    secret: Secret;
  }
}

const schema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  data: z
    .record(z.string(), z.string())
    .describe("`***` in place of each value, by key; in requests, `***` keeps the value."),
});

const valuesSchema = z.record(
  z
    .string()
    .regex(/^[-._a-zA-Z0-9]{1,253}$/, "a key is 1 to 253 letters, digits, '-', '_' and '.'"),
  z.string(),
);

const input = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  data: valuesSchema
    .optional()
    .describe("Values in base64, by key. A change of this member replaces all values.")
    .meta(neverAnswered),
});

/** The limit of AWS Secrets Manager, in bytes of JSON. */
const limit = 65_536;

const rules: Definition<"secret", z.output<typeof input>, SecretDeps> = {
  kind: "secret",
  schema: input,
  tenant: "caller",
  async build(request) {
    const { deps, id, before, violations } = request;
    const data = Object.entries(request.input.data ?? {});
    if (before && isAsBefore(before, data)) return { spec: before.spec, status: {} };
    const previous = before ? await valuesOf(deps.secrets, before) : new Map<string, string>();
    const values = new Map<string, string>();
    for (const [key, value] of data) {
      const whole = value === masked ? previous.get(key) : value;
      if (whole !== undefined && isBase64(whole)) values.set(key, whole);
      else violations.push({ field: `data.${key}`, message: "must be in base64" });
    }
    const value = JSON.stringify(Object.fromEntries(values));
    const size = Buffer.byteLength(value);
    if (size > limit)
      violations.push({ field: "data", message: `has ${size} bytes; ${limit} is the limit` });
    const reference = `${secretReference.ofTenant(id)}/${deps.newId()}`;
    const spec = { keys: [...values.keys()], values: reference };
    return { spec, status: {}, secret: { reference, value } };
  },
  secrets: ({ spec }) => [spec.values],
};

const isAsBefore = ({ spec }: Secret, data: [string, string][]): boolean =>
  data.length === spec.keys.length &&
  data.every(([key, value]) => value === masked && spec.keys.includes(key));

/** Whether a text is base64: standard or URL-safe, with or without padding, as in protobuf's JSON. */
const isBase64 = (text: string): boolean =>
  /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) && text.replace(/=+$/, "").length % 4 !== 1;

/** The values of a secret by their keys, in base64. */
export async function valuesOf(secrets: Secrets, { spec }: Secret): Promise<Map<string, string>> {
  const text = await secrets.get(spec.values);
  return new Map(Object.entries(text === undefined ? {} : valuesSchema.parse(JSON.parse(text))));
}

export const kind: KindDefinition<"secret"> = {
  shown: { data: ({ spec }) => Object.fromEntries(spec.keys.map((key) => [key, true])) },
  events: commonChanges,
  inProjects: true,
  referencedByOthers: {},
};

export const permissions: PermissionsOf = { public: ordered, private: manage };

export const wire: WireForm<"secret"> = {
  view: (each): z.output<typeof schema> => ({
    id: each.id,
    metadata: metadataView(each),
    data: Object.fromEntries(each.spec.keys.map((key) => [key, masked])),
  }),
  // Without the masks, because OSAC's clients would decode them as base64.
  osac: ({ data: _, ...wire }) => wire,
  inOsacEvents: true,
};

export const api = { schema, rules } satisfies ApiOf<"secret">;

export const documentation: Documentation = {
  meaning: "Values that can be written, never read.",
  groups: { public: "Order", private: "Provider: people" },
  example: { metadata: { name: "registry" }, data: { token: "c2xpcHdheQ==" } },
  belongsToTenants: true,
  answer: ofTenant("registry", { data: { token: "***" } }),
};
