import { lambdaLooks } from "../core/looks/lambda.ts";
import { answering } from "../core/workflow/step-functions.ts";
import { sagas } from "../statemachines/index.ts";
import { compose, notHere, states, table, workers } from "./compose.ts";
import { readEnvironment } from "./environment.ts";
import { handover } from "./handover.ts";
import { observeEvent } from "./observe.ts";

/** The observers' function: writes status, answers the steps that waited for it. */
const env = readEnvironment(process.env, "observe");
const store = table(env);
const deps = compose({
  store,
  workflow: { start: notHere, describe: notHere, ...answering(states()) },
  looks: lambdaLooks({ handover: handover(), workers: workers(env), store, shapes: sagas }),
});

export const handler = observeEvent(deps, sagas);
