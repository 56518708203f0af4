import { handle } from "hono/aws-lambda";
import { systemClock } from "../core/clock.ts";
import { lambdaWakes } from "../core/ports/rechecks/lambda.ts";
import { secretReading } from "../core/ports/secrets/secrets-manager.ts";
import { machines } from "../core/resources/generated/machines.ts";
import { readEnvironment } from "./environment.ts";
import { compose, table } from "./runtime/compose.ts";
import { handled } from "./runtime/handled.ts";
import { handover } from "./runtime/handover.ts";
import { heldToRights, secretStore } from "./runtime/secret-store.ts";
import { siteController } from "./site-controller/app.ts";

/** The function that machines call, behind a load balancer in the network of the sites. It ends no step. */
const env = readEnvironment(process.env, "site-controller");
const deps = compose({
  machines,
  store: table(env),
  secrets: heldToRights("site-controller", secretReading(secretStore(env), systemClock)),
  wakes: lambdaWakes(handover(), env.CORE_WORKER),
});

export const handler = handled(handle(siteController(deps)));
