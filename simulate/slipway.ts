import type { DatabaseSync } from "node:sqlite";
import { siteDirectory } from "../core/at-site/directory.ts";
import { type Clock, hours } from "../core/clock.ts";
import { asOperationId } from "../core/id.ts";
import { manyWriters } from "../core/kernel/events/log-time.ts";
import type { Sagas } from "../core/kernel/saga/settle.ts";
import { silent } from "../core/log.ts";
import { guestDirectory } from "../core/ports/guest/directory.ts";
import type { WebhookTransport } from "../core/ports/webhook/transport.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import { operated } from "../core/resources/generated/operated.ts";
import { serverDirectory } from "../core/resources/host/directory.ts";
import { hubDirectory } from "../core/resources/hub/directory.ts";
import { relaying } from "../core/resources/relaying.ts";
import { createApp } from "../functions/api/app.ts";
import { principalOf } from "../functions/identity/principal.ts";
import { siteController } from "../functions/site-controller/app.ts";
import { depsOf, heldHubs, heldSecrets, heldStore } from "../local/as-deployed.ts";
import { type Invoke, openPlatform, type Platform } from "../local/platform.ts";
import { orAborted } from "../sim/api-servers.ts";
import { memorySecrets } from "../test/support/memory-secrets.ts";
import { workerTimeout } from "../test/support/worker-time.ts";
import { callFaults, changeFaults } from "./calls.ts";
import type { DeadHosts } from "./dead-hosts.ts";
import { RestlessStore, troubleDeliveries } from "./deliveries.ts";
import type { Dice } from "./dice.ts";
import type { Outages } from "./outages.ts";
import { Process } from "./process.ts";
import type { Refusals } from "./refusals.ts";
import { Workers } from "./workers.ts";
import { engineWorkflow } from "./workflow.ts";
import type { Worlds } from "./worlds.ts";

/** Slipway in one process. */
export interface Slipway extends Pick<Platform, "deps" | "drained" | "onRelayed" | "report"> {
  process: Process;
  store: RestlessStore;
  workers: Workers;
  app: ReturnType<typeof createApp>;
  /** The API for machines. */
  machines: ReturnType<typeof siteController>;
}

/** The surroundings of Slipway, which outlive its process. */
export interface Ground {
  clock: Clock;
  random: () => number;
  databases: { store: DatabaseSync; workflows: DatabaseSync };
  /** The secret store's content, by reference. */
  secrets: Map<string, string>;
  worlds: Worlds;
  outages: Outages;
  refusals: Refusals;
  deadHosts: DeadHosts;
  dice: Dice;
  /** The product's sagas, or instrumented ones. */
  sagas: Sagas;
}

/**
 * Less often than on a laptop, with a shorter retention, because a simulation covers days and thousands of
 * orders.
 */
const dueEvery = 30_000;
const executionsKept = hours(24);

const noReceivers: WebhookTransport = {
  refusal: async () => undefined,
  post: async () => {
    throw new Error("a simulation has no receivers");
  },
};

/** Starts a process, which continues the work of an earlier one. */
export function openSlipway(ground: Ground): Slipway {
  const { databases, random, worlds, dice, sagas } = ground;
  const process = new Process(ground.clock);
  const workers = new Workers(process, dice);
  const store = new RestlessStore(databases.store, dice, process);
  process.uses(store);
  const secrets = heldSecrets(memorySecrets(ground.secrets));
  const held = heldStore(store);
  const fetch = fetchOver(ground, process, workers);
  const [clock, wall] = [process, process];
  const hubs = heldHubs(hubDirectory({ store: held, kinds, secrets, clock, wall, fetch }));
  const authority = worlds.askAuthority;
  const sites = siteDirectory({ kinds, store: held, secrets, wall, fetch, authority });
  const run: Invoke = (step, work, operation) =>
    workers.do({ operation: asOperationId(operation), step }, work);
  const platform = openPlatform({
    ...{ store, held, clock, wall, random, secrets, hubs, kinds, operated, relaying },
    sagas: workers.telling(sagas),
    workflows: databases.workflows,
    sites,
    servers: serverDirectory({ store: held, kinds, secrets, sites, hubs, wall, fetch }),
    guests: guestDirectory({ hubs, wall, fetch }),
    webhooks: noReceivers,
    log: silent,
    ...{ workerTimeout, dueEvery, executionsKept, logTime: manyWriters },
    invoke: run,
    look: run,
    workflow: engineWorkflow,
  });
  const { deps, drained, onRelayed, report, start } = platform;
  workers.over({ store, deps });
  troubleDeliveries({ deps, clock }, dice);
  const app = createApp(depsOf("api", deps), {
    profile: "slipway",
    principal: ({ env }: { env: { claims?: Record<string, unknown> } }) =>
      env.claims && principalOf(env.claims),
  });
  const machines = siteController(depsOf("site-controller", deps));
  start();
  return { process, store, workers, app, machines, deps, drained, onRelayed, report };
}

/** The network between Slipway and outside. */
function fetchOver(
  { worlds, outages, refusals, dice, clock }: Ground,
  process: Process,
  workers: Workers,
): typeof globalThis.fetch {
  return (input, init) => {
    const { signal, ...given } = init ?? {};
    // A sent request arrives even if its sender no longer waits.
    const request = new Request(input, given);
    const destination = worlds.destination(request.url);
    const { system, instance } = destination;
    const { began, task } = workers;
    const refuse = (status: number) => {
      refusals.note(status, task);
      return destination.refuse(status);
    };
    const call = async () => {
      outages.refuse(system, instance);
      const changes = request.method !== "GET";
      const fault = dice.roll(`a call of a ${system}`, changes ? changeFaults : callFaults);
      const send = () => destination.answer(request);
      return fault ? fault({ send, refuse, clock, began }) : send();
    };
    const answer = workers.call(() => process.ask(call));
    answer.catch(() => {});
    return signal ? orAborted(signal, answer) : answer;
  };
}
