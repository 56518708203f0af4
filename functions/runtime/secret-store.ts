import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { includes, withinRights } from "../../core/ports/secrets/rights.ts";
import type { Secrets } from "../../core/ports/secrets/secrets.ts";
import type { SecretWritingOptions } from "../../core/ports/secrets/secrets-manager.ts";
import { client } from "./client.ts";
import { type FunctionWithRights, secretRights } from "./secret-rights.ts";

export interface SecretEnvironment {
  SECRETS_PREFIX: string;
  SECRETS_KEY?: string | undefined;
}

/** The secret store, for functions on AWS. */
export const secretStore = (env: SecretEnvironment): SecretWritingOptions => ({
  client: new SecretsManagerClient(client),
  prefix: env.SECRETS_PREFIX,
  ...(env.SECRETS_KEY !== undefined && { key: env.SECRETS_KEY }),
});

/** Restricts a function's secrets to its declared rights. */
export const heldToRights = <S extends Partial<Secrets>>(name: FunctionWithRights, secrets: S): S =>
  withinRights(secrets, (use, family) => includes(secretRights[name], use, family));
