import { operated } from "../core/resources/generated/operated.ts";
import { readEnvironment } from "./environment.ts";
import { compose, table } from "./runtime/compose.ts";
import { embeddedMetrics } from "./runtime/embedded-metrics.ts";
import { handled } from "./runtime/handled.ts";
import { handover } from "./runtime/handover.ts";
import { sweep } from "./sweep.ts";

/** The sweeps' function: starts the sweeps of hubs and sites, and measures. */
const env = readEnvironment(process.env, "sweep");
const lambda = handover();
const deps = compose({ operated, store: table(env) });

const zones = { hub: env.HUB_WORKER, site: env.SITE_WORKER };

export const handler = handled(
  sweep(
    deps,
    (zone, asked) => lambda.later(zones[zone], asked),
    (measured) => embeddedMetrics(env.STAGE, deps.clock.now(), measured),
  ),
);
