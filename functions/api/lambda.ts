import { systemClock } from "../../core/clock.ts";
import { hubsThroughWorker } from "../../core/hub/lambda.ts";
import { secretReading, secretRemoval, secretWriting } from "../../core/secrets/secrets-manager.ts";
import { httpsTransport } from "../../core/webhooks/https.ts";
import { compose, hubsBus, invoker, secretStore, table } from "../compose.ts";
import { readEnvironment } from "../environment.ts";
import { verifier } from "../identity/verify.ts";
import { apiHandler } from "./handler.ts";

/**
 * The API's function: writes what was accepted, and passes on what hubs report. It stores secrets;
 * of those that it may read, credentials of sites, the ones that a change leaves out stay, and those
 * of webhooks sign a test and what is sent for a while after a new one.
 */
const env = readEnvironment(process.env, "api");
const secrets = secretStore(env);
const deps = compose({
  store: table(env),
  defaultQuota: env.DEFAULT_QUOTA,
  secrets: {
    ...secretReading(secrets, systemClock),
    ...secretWriting(secrets),
    ...secretRemoval(secrets),
  },
  reports: hubsBus(env),
  hubs: hubsThroughWorker(invoker(), env.HUB_WORKER),
  webhooks: httpsTransport({ wall: systemClock }),
});

export const handler = apiHandler(deps, {
  profile: env.API_PROFILE,
  issuers: env.ISSUERS,
  verify: verifier({ wall: systemClock }, env.ISSUERS),
});
