import { operated } from "../core/resources/generated/operated.ts";
import { sagaShapes } from "../statemachines/generated/shapes.ts";
import { readEnvironment } from "./environment.ts";
import { halted } from "./halted.ts";
import { compose, table } from "./runtime/compose.ts";

/** The function for executions that did not succeed: it only writes. */
const deps = compose({
  operated,
  store: table(readEnvironment(process.env, "halted")),
});

export const handler = halted(deps, sagaShapes);
