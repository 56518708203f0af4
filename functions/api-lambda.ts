import { promptFamilies } from "./api/families.ts";
import { apiHandler } from "./api/handler.ts";
import { lazyOutside } from "./api/lazy-outside.ts";
import { readEnvironment } from "./environment.ts";
import { lazyVerifier } from "./identity/lazy-verifier.ts";
import { compose, table } from "./runtime/compose.ts";
import { handled } from "./runtime/handled.ts";

/**
 * The API's function: writes accepted changes, and forwards hubs' reports. Watches have a function of their own, so
 * that they occupy none of this one's instances.
 */
const env = readEnvironment(process.env, "api");
const deps = compose({
  store: table(env),
  defaultQuota: env.DEFAULT_QUOTA,
  tenants: env.TENANTS,
  loadOperated: async () => (await import("../core/resources/generated/operated.ts")).operated,
  ...lazyOutside(env),
});

export const handler = handled(
  apiHandler(promptFamilies, deps, {
    profile: env.API_PROFILE,
    limits: { tenant: env.TENANT_RATE, user: env.USER_RATE, watch: 0 },
    origins: env.API_ORIGINS,
    consoleProof: env.CONSOLE_PROOF,
    issuers: env.ISSUERS,
    verify: lazyVerifier(env.ISSUERS),
  }),
);
