import { eventRoutes } from "./api/events.ts";
import { apiHandler } from "./api/handler.ts";
import { readEnvironment } from "./environment.ts";
import { lazyVerifier } from "./identity/lazy-verifier.ts";
import { compose, table } from "./runtime/compose.ts";
import { handled } from "./runtime/handled.ts";

/** The function of watches: it reads, and writes the slots of waiting watches. */
const env = readEnvironment(process.env, "watch");
const deps = compose({
  store: table(env),
  watchLimits: { everybody: env.WATCHES, tenant: env.TENANT_WATCHES, user: env.USER_WATCHES },
});

export const handler = handled(
  apiHandler({ events: async () => eventRoutes }, deps, {
    profile: env.API_PROFILE,
    limits: { tenant: 0, user: 0, watch: env.WATCH_RATE },
    origins: env.API_ORIGINS,
    issuers: env.ISSUERS,
    verify: lazyVerifier(env.ISSUERS),
  }),
);
