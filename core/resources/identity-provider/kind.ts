import * as z from "zod";
import { neverAnswered } from "../../kernel/input/text.ts";
import { baseUrlSchema, urlSchema } from "../../kernel/input/url.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { masked, metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { govern, manage, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";

/**
 * The login settings of a tenant's people, for portals to read. They do not change whose tokens the API accepts: its
 * configuration lists those issuers.
 */
const noUrl = "must be an http or https URL";
const url = urlSchema(/^https?$/, noUrl).max(2048);
const issuer = baseUrlSchema(/^https?$/, noUrl).max(2048);

const oidcSchema = z.strictObject({
  issuer: issuer.optional().describe("URL of the OpenID Connect issuer."),
  authorization_url: url.optional().describe("URL where people log in."),
  token_url: url.optional().describe("URL where codes are exchanged for tokens."),
  user_info_url: url.optional().describe("URL of the user info."),
  jwks_url: url.optional().describe("URL of the keys that tokens are signed with."),
  logout_url: url.optional().describe("URL where people log out."),
  client_id: z.string().max(253).optional().describe("Id of the client there."),
  default_scopes: z
    .array(z.string().min(1).max(128))
    .max(50)
    .optional()
    .describe("The requested scopes."),
  validate_signature: z.boolean().optional().describe("Whether signatures of tokens are checked."),
});

const specSchema = z.strictObject({
  title: z.string().max(128).optional().describe("A short title for people."),
  description: z.string().max(1024).optional().describe("Further notes."),
  enabled: z.boolean().optional().describe("Whether people can log in by it."),
});

interface IdentityProviderSpec extends z.output<typeof specSchema> {
  oidc?: z.output<typeof oidcSchema>;
  /** Reference into the secret store. */
  client_secret?: string;
}
type IdentityProvider = StoredObject<
  "identity_provider",
  IdentityProviderSpec,
  Record<string, never>
>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    identity_provider: IdentityProvider;
  }
}

const secretOf = z.string().max(4096).optional();

const schema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    ...specSchema.shape,
    oidc: z
      .object({
        ...oidcSchema.shape,
        client_secret: secretOf.describe(
          "Answered as `***`; in requests, `***` keeps the stored secret.",
        ),
      })
      .optional()
      .describe("Its settings for OpenID Connect."),
  }),
  status: z.object({
    phase: z.enum(["IDENTITY_PROVIDER_PHASE_UNKNOWN"]).describe("The state of its setup."),
  }),
});

const input = inputSchema(
  specSchema.extend({
    oidc: oidcSchema
      .extend({
        client_secret: secretOf
          .describe("The client's secret; `***` keeps the stored one.")
          .meta(neverAnswered),
      })
      .optional()
      .describe("Its settings for OpenID Connect."),
  }),
);

const rules: Definition<"identity_provider", z.output<typeof input>> = {
  kind: "identity_provider",
  schema: input,
  tenant: "caller",
  async build({ deps, id, input: { spec: given }, before }) {
    const { oidc, ...rest } = given;
    const { client_secret: value, ...client } = oidc ?? {};
    const spec = { ...rest, ...(oidc ? { oidc: client } : {}) };
    if (!value) return { spec, status: {} };
    const kept = before?.spec.client_secret;
    if (value === masked)
      return { spec: { ...spec, ...(kept ? { client_secret: kept } : {}) }, status: {} };
    const reference = `${secretReference.identityProvider(id)}/${deps.newId()}`;
    const secret = { reference, value };
    return { spec: { ...spec, client_secret: reference }, status: {}, secret };
  },
  secrets: ({ spec }) => (spec.client_secret === undefined ? [] : [spec.client_secret]),
};

/** The spec in the API's answers, with a mask instead of the secret. */
function specShown({ spec: { client_secret, oidc, ...spec } }: Pick<IdentityProvider, "spec">) {
  const secret = client_secret === undefined ? {} : { client_secret: masked };
  return { ...spec, ...(oidc ? { oidc: { ...oidc, ...secret } } : {}) };
}

export const kind: KindDefinition<"identity_provider"> = {
  shown: { spec: specShown },
  events: commonChanges,
};

export const permissions: PermissionsOf = { public: govern, private: manage };

export const wire: WireForm<"identity_provider"> = {
  view: (provider): z.output<typeof schema> => ({
    id: provider.id,
    metadata: metadataView(provider),
    spec: specShown(provider),
    status: { phase: "IDENTITY_PROVIDER_PHASE_UNKNOWN" },
  }),
};

export const api = { schema, rules } satisfies ApiOf<"identity_provider">;

export const documentation: Documentation = {
  meaning: "Where the people of a tenant log in.",
  groups: { public: "People", private: "Provider: people" },
  example: {
    metadata: { name: "company" },
    spec: {
      title: "The company's login",
      oidc: {
        issuer: "https://login.example.com",
        client_id: "slipway",
        client_secret: "a-secret",
      },
    },
  },
  belongsToTenants: true,
  answer: ofTenant("company", {
    spec: {
      title: "The company's login",
      oidc: { issuer: "https://login.example.com", client_id: "slipway", client_secret: "***" },
    },
    status: { phase: "IDENTITY_PROVIDER_PHASE_UNKNOWN" },
  }),
};
