import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { SecretWritingOptions } from "../../core/ports/secrets/secrets-manager.ts";
import { client } from "./client.ts";

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
