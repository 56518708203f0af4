import { byKeptTokens } from "../core/kernel/saga/tokens.ts";
import { lambdaRechecks } from "../core/ports/rechecks/lambda.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import { observers } from "../core/resources/generated/observers.ts";
import { operated } from "../core/resources/generated/operated.ts";
import { sagas } from "../statemachines/index.ts";
import { readEnvironment } from "./environment.ts";
import { observeEvent } from "./observe.ts";
import { compose, table, workers } from "./runtime/compose.ts";
import { handled } from "./runtime/handled.ts";
import { handover } from "./runtime/handover.ts";
import { lazyAnswers } from "./workflow/lazy-answers.ts";

/** The observers' function: writes status, and answers the steps that waited for it. */
const env = readEnvironment(process.env, "observe");
const store = table(env);
const deps = compose({
  operated,
  observers,
  store,
  workflow: byKeptTokens(store, lazyAnswers()),
  rechecks: lambdaRechecks({
    handover: handover(),
    workers: workers(env),
    store,
    kinds,
    shapes: sagas,
  }),
});

export const handler = handled(observeEvent(deps, sagas));
