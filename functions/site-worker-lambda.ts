import { systemClock } from "../core/clock.ts";
import { lambdaLooks } from "../core/looks/lambda.ts";
import { secretReading } from "../core/secrets/secrets-manager.ts";
import { answering } from "../core/workflow/step-functions.ts";
import { sagas } from "../statemachines/index.ts";
import { compose, invoker, notHere, secretStore, states, table, workers } from "./compose.ts";
import { readEnvironment } from "./environment.ts";
import { worker } from "./worker.ts";

/** The worker of steps at sites: it reads the credentials of fabrics, DNS and storage. */
const env = readEnvironment(process.env, [
  "TABLE",
  "SECRETS_PREFIX",
  "CORE_WORKER",
  "HUB_WORKER",
  "SITE_WORKER",
  "WORKER_TIMEOUT",
]);
const store = table(env);
const deps = compose({
  store,
  secrets: { put: notHere, remove: notHere, ...secretReading(secretStore(env), systemClock) },
  workflow: { start: notHere, describe: notHere, ...answering(states()) },
  looks: lambdaLooks({ invoker: invoker(), workers: workers(env), store, sagas }),
  workerTimeout: env.WORKER_TIMEOUT,
});

export const handler = worker(deps, sagas);
