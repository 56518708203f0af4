import { siteDirectory } from "../core/at-site/directory.ts";
import { systemClock } from "../core/clock.ts";
import { WorkerShares } from "../core/kernel/saga/shares.ts";
import { byKeptTokens } from "../core/kernel/saga/tokens.ts";
import { guestDirectory } from "../core/ports/guest/directory.ts";
import { lambdaRechecks } from "../core/ports/rechecks/lambda.ts";
import {
  secretReading,
  secretRemoval,
  secretWriting,
} from "../core/ports/secrets/secrets-manager.ts";
import { sweepSite } from "../core/reconcile/sweep-places.ts";
import { absences } from "../core/resources/generated/absences.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import { observers } from "../core/resources/generated/observers.ts";
import { operated } from "../core/resources/generated/operated.ts";
import { owners } from "../core/resources/generated/owners.ts";
import { serverDirectory } from "../core/resources/host/directory.ts";
import { hubDirectory } from "../core/resources/hub/directory.ts";
import { sagas } from "../statemachines/index.ts";
import { readEnvironment } from "./environment.ts";
import { compose, table, workers } from "./runtime/compose.ts";
import { handled } from "./runtime/handled.ts";
import { handover } from "./runtime/handover.ts";
import { heldToRights, secretStore } from "./runtime/secret-store.ts";
import { outsideWorker } from "./worker.ts";
import { answers } from "./workflow/answering.ts";
import { lazyPlans } from "./workflow/lazy-plans.ts";
import { executions } from "./workflow/machines.ts";

/**
 * The workers of steps outside: at hubs, in hosted clusters, at sites. Some steps need more than
 * one of these, so the zones of hubs and sites run the same program, each in its own network and
 * with its own limit and rights.
 */
const env = readEnvironment(process.env, "hub-worker");
const store = table(env);
const vault = secretStore(env);
const secrets = heldToRights(`${env.ZONE}-worker`, {
  ...secretReading(vault, systemClock),
  ...secretWriting(vault),
  ...secretRemoval(vault),
});
const hubs = hubDirectory({ store, kinds, secrets, clock: systemClock, wall: systemClock });
const sites = siteDirectory({ store, kinds, secrets, wall: systemClock });
const deps = compose({
  zone: env.ZONE,
  operated,
  owners,
  observers,
  absences,
  store,
  secrets,
  workflow: {
    ...lazyPlans(executions(env)),
    ...byKeptTokens(store, answers),
  },
  rechecks: lambdaRechecks({
    handover: handover(),
    workers: workers(env),
    store,
    kinds,
    shapes: sagas,
  }),
  hubs,
  sites,
  servers: serverDirectory({ store, kinds, secrets, sites, hubs, wall: systemClock }),
  guests: guestDirectory({ hubs, wall: systemClock }),
  workerTimeout: env.WORKER_TIMEOUT,
  // A worker only runs steps of its own zone.
  shares: new WorkerShares({ hub: env.WORKERS, site: env.WORKERS }),
});

export const handler = handled(outsideWorker(deps, sagas, sweepSite));
