import { compose, table } from "../compose.ts";
import { readEnvironment } from "../environment.ts";
import { verifierWhenNeeded } from "../identity/verify-when-needed.ts";
import { promptFamilies } from "./families.ts";
import { apiHandler } from "./handler.ts";
import { outsideWhenNeeded } from "./outside-when-needed.ts";

/**
 * The API's function: writes what was accepted, and passes on what hubs report. Watches have another,
 * so that none of them holds what answers everybody, by whatever spelling of its path it comes.
 */
const env = readEnvironment(process.env, "api");
const deps = compose({
  store: table(env),
  defaultQuota: env.DEFAULT_QUOTA,
  tenants: env.TENANTS,
  ...outsideWhenNeeded(env),
});

export const handler = apiHandler(promptFamilies, deps, {
  profile: env.API_PROFILE,
  limits: { tenant: env.TENANT_RATE, user: env.USER_RATE, watch: 0 },
  origins: env.API_ORIGINS,
  issuers: env.ISSUERS,
  verify: verifierWhenNeeded(env.ISSUERS),
});
