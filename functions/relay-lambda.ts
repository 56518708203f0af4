import { lambdaLooks } from "../core/looks/lambda.ts";
import { answering, starting } from "../core/workflow/step-functions.ts";
import { sagaShapes } from "../statemachines/shapes.ts";
import { integratorsBus } from "./buses.ts";
import { compose, machines, notHere, states, table, workers } from "./compose.ts";
import { readEnvironment } from "./environment.ts";
import { handover } from "./handover.ts";
import { relayBatch } from "./relay.ts";
import { webhookQueue } from "./webhook-queue.ts";

/** The relay's function: starts executions, publishes events, queues webhooks, passes on what was
 * asked for. */
const env = readEnvironment(process.env, "relay");
const store = table(env);
const workflow = states();
const deps = compose({
  store,
  workflow: { describe: notHere, ...starting(workflow, machines(env)), ...answering(workflow) },
  bus: integratorsBus(env),
  webhookQueue: webhookQueue(env),
  looks: lambdaLooks({ handover: handover(), workers: workers(env), store, shapes: sagaShapes }),
});

export const handler = relayBatch(deps, sagaShapes);
