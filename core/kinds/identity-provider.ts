import * as z from "zod";
import type { Definition } from "../catalog/definition.ts";
import { idSchema, systemMetadata } from "../input/reference.ts";
import { metadataInputSchema } from "../model/metadata.ts";
import type { StoredObject } from "../model/object.ts";
import { secretReference } from "../secrets/secrets.ts";
import { masked, metadataSchema, metadataView } from "../view/wire.ts";
import { commonChanges, type KindOf } from "./kind.ts";

/**
 * Where the people of a tenant sign in, for portals that ask. Whose tokens the API takes is in its
 * configuration, and not changed by this.
 */
const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).max(2048);

const oidcSchema = z.strictObject({
  issuer: url.optional(),
  authorization_url: url.optional(),
  token_url: url.optional(),
  user_info_url: url.optional(),
  jwks_url: url.optional(),
  logout_url: url.optional(),
  client_id: z.string().max(253).optional(),
  default_scopes: z.array(z.string().min(1).max(128)).max(50).optional(),
  validate_signature: z.boolean().optional(),
});

const specSchema = z.strictObject({
  title: z.string().max(128).optional(),
  description: z.string().max(1024).optional(),
  enabled: z.boolean().optional(),
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

declare module "../model/object-of.ts" {
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
    /** `client_secret` is never answered but as `***`. */
    oidc: z.object({ ...oidcSchema.shape, client_secret: secretOf }).optional(),
  }),
  status: z.object({ phase: z.enum(["IDENTITY_PROVIDER_PHASE_UNKNOWN"]) }),
});

const input = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  spec: specSchema.extend({ oidc: oidcSchema.extend({ client_secret: secretOf }).optional() }),
  status: z.unknown().optional(),
});

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

export const identityProvider: KindOf<"identity_provider"> = {
  schema,
  view: (provider): z.output<typeof schema> => {
    const { client_secret, oidc, ...spec } = provider.spec;
    const secret = client_secret === undefined ? {} : { client_secret: masked };
    return {
      id: provider.id,
      metadata: metadataView(provider),
      spec: { ...spec, ...(oidc ? { oidc: { ...oidc, ...secret } } : {}) },
      status: { phase: "IDENTITY_PROVIDER_PHASE_UNKNOWN" },
    };
  },
  events: commonChanges,
  rules,
};
