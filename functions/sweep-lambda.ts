import { lambdaLooks } from "../core/looks/lambda.ts";
import { stepFunctions } from "../core/workflow/step-functions.ts";
import { sagaShapes } from "../statemachines/shapes.ts";
import { integratorsBus } from "./buses.ts";
import { compose, invoker, machines, states, table, workers } from "./compose.ts";
import { embeddedMetrics } from "./embedded-metrics.ts";
import { readEnvironment } from "./environment.ts";
import { sweep } from "./sweep.ts";

/** The sweeps' function: finds and mends what everything else missed. */
const env = readEnvironment(process.env, "sweep");
const store = table(env);
const lambda = invoker();
const deps = compose({
  store,
  workflow: stepFunctions(states(), machines(env)),
  bus: integratorsBus(env),
  looks: lambdaLooks({ invoker: lambda, workers: workers(env), store, shapes: sagaShapes }),
});

const zones = { hub: env.HUB_WORKER, site: env.SITE_WORKER };

export const handler = sweep(
  deps,
  sagaShapes,
  (zone, asked) => lambda.later(zones[zone], asked),
  (measured) => embeddedMetrics(env.STAGE, deps.clock.now(), measured),
);
