import { systemClock } from "../../core/clock.ts";
import type { AskableHubs } from "../../core/ports/hub/hub.ts";
import { hubsThroughWorker } from "../../core/ports/hub/lambda.ts";
import type { Reports } from "../../core/ports/hub/news.ts";
import type { Secrets } from "../../core/ports/secrets/secrets.ts";
import {
  secretReading,
  secretRemoval,
  secretWriting,
} from "../../core/ports/secrets/secrets-manager.ts";
import { httpsTransport } from "../../core/ports/webhook/https.ts";
import type { WebhookTransport } from "../../core/ports/webhook/transport.ts";
import { hubsBus } from "../runtime/buses.ts";
import { caller } from "../runtime/invocation.ts";
import { heldToRights, type SecretEnvironment, secretStore } from "../runtime/secret-store.ts";

/** Everything that the API uses besides the table; few requests need it. */
export interface ApiOutside {
  secrets: Secrets;
  reports: Reports;
  askableHubs: AskableHubs;
  webhooks: WebhookTransport;
}

export type OutsideEnvironment = SecretEnvironment & { HUBS_BUS: string; HUB_WORKER: string };

export const apiOutsideOf = (env: OutsideEnvironment): ApiOutside => ({
  secrets: apiSecrets(env),
  reports: hubsBus(env),
  askableHubs: hubsThroughWorker(caller(), env.HUB_WORKER),
  webhooks: httpsTransport({ wall: systemClock }),
});

/** The API stores secrets, and reads some (`functions/runtime/secret-rights.ts`). */
function apiSecrets(env: SecretEnvironment): Secrets {
  const store = secretStore(env);
  return heldToRights("api", {
    ...secretReading(store, systemClock),
    ...secretWriting(store),
    ...secretRemoval(store),
  });
}
