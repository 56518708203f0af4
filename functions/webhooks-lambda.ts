import { systemClock } from "../core/clock.ts";
import { secretReading } from "../core/ports/secrets/secrets-manager.ts";
import { httpsTransport } from "../core/ports/webhook/https.ts";
import { readEnvironment } from "./environment.ts";
import { compose, table } from "./runtime/compose.ts";
import { handled } from "./runtime/handled.ts";
import { heldToRights, secretStore } from "./runtime/secret-store.ts";
import { webhooks } from "./webhooks.ts";

/** The webhooks' function: the only one that calls servers named by tenants. */
const env = readEnvironment(process.env, "webhooks");
const deps = compose({
  store: table(env),
  secrets: heldToRights("webhooks", secretReading(secretStore(env), systemClock)),
  webhooks: httpsTransport({ wall: systemClock }),
});

export const handler = handled(webhooks(deps));
