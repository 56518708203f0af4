import { byKeptTokens } from "../core/kernel/saga/tokens.ts";
import { lambdaRechecks } from "../core/ports/rechecks/lambda.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import { operated } from "../core/resources/generated/operated.ts";
import { publishing } from "../core/resources/publishing.ts";
import { sagaShapes } from "../statemachines/generated/shapes.ts";
import { due, type ShardCall } from "./due.ts";
import { readEnvironment } from "./environment.ts";
import { integratorsBus } from "./runtime/buses.ts";
import { compose, table, workers } from "./runtime/compose.ts";
import { handled } from "./runtime/handled.ts";
import { handover } from "./runtime/handover.ts";
import type { Sweep } from "./worker.ts";
import { lazyAnswers } from "./workflow/lazy-answers.ts";
import { lazyDescriptions } from "./workflow/lazy-descriptions.ts";
import { lazyStarts } from "./workflow/lazy-starts.ts";
import { machines } from "./workflow/machines.ts";

/**
 * The function for due operations: rechecks steps on time, and repairs what stream, bus and platform failed to
 * deliver.
 */
const env = readEnvironment(process.env, "due");
const store = table(env);
const arns = machines(env);
const lambda = handover();
const deps = compose({
  operated,
  store,
  workflow: {
    ...lazyStarts(arns),
    ...lazyDescriptions(arns),
    ...byKeptTokens(store, lazyAnswers()),
  },
  bus: integratorsBus(env),
  rechecks: lambdaRechecks({
    handover: lambda,
    workers: workers(env),
    store,
    kinds,
    shapes: sagaShapes,
  }),
});

export const handler = handled(
  due({ ...deps, ...publishing }, sagaShapes, {
    shard: (call) => lambda.later(env.DUE, call satisfies ShardCall),
    hub: (hub) => lambda.later(env.HUB_WORKER, { hub, sweep: true } satisfies Sweep),
  }),
);
