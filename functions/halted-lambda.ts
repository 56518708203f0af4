import { operated } from "../core/resources/generated/operated.ts";
import { sagaShapes } from "../statemachines/generated/shapes.ts";
import { readEnvironment } from "./environment.ts";
import { halted } from "./halted.ts";
import { compose, table } from "./runtime/compose.ts";
import { handled } from "./runtime/handled.ts";
import { cutOffMetrics } from "./runtime/operation-metrics.ts";

/** The function for executions that did not succeed. Its only effects are writes to the store. */
const env = readEnvironment(process.env, "halted");
const deps = compose({ operated, store: table(env) });

export const handler = handled(
  halted(deps, sagaShapes, (operation, status) =>
    cutOffMetrics(env.STAGE, deps.clock.now(), { operation, status }),
  ),
);
