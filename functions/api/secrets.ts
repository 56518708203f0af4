import { systemClock } from "../../core/clock.ts";
import type { Secrets } from "../../core/secrets/secrets.ts";
import { secretReading, secretRemoval, secretWriting } from "../../core/secrets/secrets-manager.ts";
import { type SecretEnvironment, secretStore } from "../secret-store.ts";

/**
 * The API stores secrets; of those that it may read, credentials of sites, the ones that a change
 * leaves out stay, and those of webhooks sign a test and what is sent for a while after a new one.
 */
export function apiSecrets(env: SecretEnvironment): Secrets {
  const store = secretStore(env);
  return {
    ...secretReading(store, systemClock),
    ...secretWriting(store),
    ...secretRemoval(store),
  };
}
