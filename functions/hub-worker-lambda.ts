import { systemClock } from "../core/clock.ts";
import { hubDirectory } from "../core/hub/directory.ts";
import { lambdaLooks } from "../core/looks/lambda.ts";
import { secretReading } from "../core/secrets/secrets-manager.ts";
import { answering } from "../core/workflow/step-functions.ts";
import { sagas } from "../statemachines/index.ts";
import { compose, invoker, notHere, secretStore, states, table, workers } from "./compose.ts";
import { readEnvironment } from "./environment.ts";
import { worker } from "./worker.ts";

/** The worker of steps at hubs: it reads their credentials, and stores none. */
const env = readEnvironment(process.env, [
  "TABLE",
  "SECRETS_PREFIX",
  "CORE_WORKER",
  "HUB_WORKER",
  "SITE_WORKER",
  "WORKER_TIMEOUT",
]);
const store = table(env);
const secrets = { put: notHere, remove: notHere, ...secretReading(secretStore(env), systemClock) };
const deps = compose({
  store,
  secrets,
  workflow: { start: notHere, describe: notHere, ...answering(states()) },
  looks: lambdaLooks({ invoker: invoker(), workers: workers(env), store, sagas }),
  hubs: hubDirectory({ store, secrets, clock: systemClock, wall: systemClock }),
  workerTimeout: env.WORKER_TIMEOUT,
});

export const handler = worker(deps, sagas);
