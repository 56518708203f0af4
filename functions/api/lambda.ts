import { hubsThroughWorker } from "../../core/hub/lambda.ts";
import { secretRemoval, secretWriting } from "../../core/secrets/secrets-manager.ts";
import { compose, invoker, notHere, secretStore, table } from "../compose.ts";
import { readEnvironment } from "../environment.ts";
import { apiHandler } from "./handler.ts";

/** The API's function: writes what was accepted, stores secrets and reads none. */
const env = readEnvironment(process.env, [
  "TABLE",
  "SECRETS_PREFIX",
  "SECRETS_KEY",
  "HUB_WORKER",
  "API_PROFILE",
  "ISSUER",
  "CLAIM_USER",
  "CLAIM_TENANT",
  "CLAIM_ROLES",
]);
const secrets = secretStore(env);
const deps = compose({
  store: table(env),
  secrets: { get: notHere, ...secretWriting(secrets), ...secretRemoval(secrets) },
  hubs: hubsThroughWorker(invoker(), env.HUB_WORKER),
});

export const handler = apiHandler(deps, {
  profile: env.API_PROFILE,
  issuer: env.ISSUER,
  claims: { user: env.CLAIM_USER, tenant: env.CLAIM_TENANT, roles: env.CLAIM_ROLES },
});
