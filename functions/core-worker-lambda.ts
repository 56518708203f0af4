import { byKeptTokens } from "../core/kernel/saga/tokens.ts";
import { lambdaRechecks } from "../core/ports/rechecks/lambda.ts";
import { secretRemoval } from "../core/ports/secrets/secrets-manager.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import { operated } from "../core/resources/generated/operated.ts";
import { sagas } from "../statemachines/index.ts";
import { readEnvironment } from "./environment.ts";
import { compose, table, workers } from "./runtime/compose.ts";
import { handled } from "./runtime/handled.ts";
import { handover } from "./runtime/handover.ts";
import { heldToRights, secretStore } from "./runtime/secret-store.ts";
import { coreWorker } from "./worker.ts";
import { answers } from "./workflow/answering.ts";
import { lazyPlans } from "./workflow/lazy-plans.ts";
import { executions } from "./workflow/machines.ts";

/** The worker of steps that use only the store. It deletes secrets and reads none. */
const env = readEnvironment(process.env, "core-worker");
const store = table(env);
const deps = compose({
  operated,
  store,
  zone: "core" as const,
  secrets: heldToRights("core-worker", secretRemoval(secretStore(env))),
  workflow: {
    ...lazyPlans(executions(env)),
    ...byKeptTokens(store, answers),
  },
  rechecks: lambdaRechecks({
    handover: handover(),
    workers: workers(env),
    store,
    kinds,
    shapes: sagas,
  }),
  workerTimeout: env.WORKER_TIMEOUT,
});

export const handler = handled(coreWorker(deps, sagas));
