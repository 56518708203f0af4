import { handle } from "hono/aws-lambda";
import { systemClock } from "../core/clock.ts";
import { byKeptTokens } from "../core/kernel/saga/tokens.ts";
import { lambdaRechecks } from "../core/ports/rechecks/lambda.ts";
import { secretReading } from "../core/ports/secrets/secrets-manager.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import { machines } from "../core/resources/generated/machines.ts";
import { operated } from "../core/resources/generated/operated.ts";
import { sagas } from "../statemachines/index.ts";
import { readEnvironment } from "./environment.ts";
import { compose, notWired, table, workers } from "./runtime/compose.ts";
import { handled } from "./runtime/handled.ts";
import { handover } from "./runtime/handover.ts";
import { heldToRights, secretStore } from "./runtime/secret-store.ts";
import { siteController } from "./site-controller/app.ts";
import { lazyAnswers } from "./workflow/lazy-answers.ts";

/** The function that machines ask, behind a load balancer in the network of the sites. */
const env = readEnvironment(process.env, "site-controller");
const store = table(env);
const deps = compose({
  operated,
  machines,
  store,
  secrets: heldToRights("site-controller", {
    ...secretReading(secretStore(env), systemClock),
    ...{ put: notWired, remove: notWired },
  }),
  workflow: {
    start: notWired,
    describe: notWired,
    plan: notWired,
    ...byKeptTokens(store, lazyAnswers()),
  },
  rechecks: lambdaRechecks({
    handover: handover(),
    workers: workers(env),
    store,
    kinds,
    shapes: sagas,
  }),
});

export const handler = handled(handle(siteController(deps, sagas)));
