import { byKeptTokens } from "../core/kernel/saga/tokens.ts";
import { lambdaRechecks } from "../core/ports/rechecks/lambda.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import { operated } from "../core/resources/generated/operated.ts";
import { relaying } from "../core/resources/relaying.ts";
import { sagaShapes } from "../statemachines/generated/shapes.ts";
import { readEnvironment } from "./environment.ts";
import { relayBatch } from "./relay.ts";
import { integratorsBus } from "./runtime/buses.ts";
import { compose, table, workers } from "./runtime/compose.ts";
import { handled } from "./runtime/handled.ts";
import { handover } from "./runtime/handover.ts";
import { recheckQueue, webhookQueue } from "./runtime/lazy-queues.ts";
import { operationMetrics } from "./runtime/operation-metrics.ts";
import { lazyAnswers } from "./workflow/lazy-answers.ts";
import { lazyStarts } from "./workflow/lazy-starts.ts";
import { machines } from "./workflow/machines.ts";

/** The relay's function: starts executions, publishes events, queues webhooks and rechecks, wakes queues. */
const env = readEnvironment(process.env, "relay");
const store = table(env);
const deps = compose({
  operated,
  store,
  workflow: {
    ...lazyStarts(machines(env)),
    ...byKeptTokens(store, lazyAnswers()),
  },
  bus: integratorsBus(env),
  webhookQueue: webhookQueue(env),
  recheckQueue: recheckQueue(env),
  rechecks: lambdaRechecks({
    handover: handover(),
    workers: workers(env),
    store,
    kinds,
    shapes: sagaShapes,
  }),
});

export const handler = handled(
  relayBatch({ ...deps, ...relaying }, sagaShapes, (before, after) =>
    operationMetrics(env.STAGE, before, after),
  ),
);
