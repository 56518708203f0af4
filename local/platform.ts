import type { DatabaseSync } from "node:sqlite";
import type { Kinds } from "../core/kernel/object/kind.ts";
import { byKeptTokens } from "../core/kernel/saga/tokens.ts";
import { absences } from "../core/resources/generated/absences.ts";
import { machines } from "../core/resources/generated/machines.ts";
import { observers } from "../core/resources/generated/observers.ts";
import { owners } from "../core/resources/generated/owners.ts";
import type { relaying } from "../core/resources/relaying.ts";
import type { ProcessDeps } from "./process-deps.ts";
import "./loaded.ts";
import type { Sites } from "../core/at-site/sites.ts";
import { type Clock, hours } from "../core/clock.ts";
import { idSource } from "../core/id.ts";
import type { DefaultQuota } from "../core/kernel/claim/quota.ts";
import { type LogTime, oneWriter } from "../core/kernel/events/log-time.ts";
import { relay } from "../core/kernel/relay/relay.ts";
import { isRelayed } from "../core/kernel/relay/relayed.ts";
import { toAsl, withWorkers } from "../core/kernel/saga/asl.ts";
import type { Operated } from "../core/kernel/saga/operated.ts";
import { recheckDue } from "../core/kernel/saga/rechecks.ts";
import type { Zone } from "../core/kernel/saga/saga.ts";
import type { Sagas } from "../core/kernel/saga/settle.ts";
import type { Workflow } from "../core/kernel/saga/workflow.ts";
import { zoneOf } from "../core/kernel/saga/zone.ts";
import type { SqliteStore } from "../core/kernel/store/sqlite/sqlite.ts";
import type { Key, Store, StreamRecord } from "../core/kernel/store/store.ts";
import type { Log } from "../core/log.ts";
import type { Servers } from "../core/ports/bare-metal/servers.ts";
import type { Guests } from "../core/ports/guest/guest.ts";
import type { Hubs } from "../core/ports/hub/hub.ts";
import type { Report } from "../core/ports/hub/news.ts";
import { clockRecheckQueue } from "../core/ports/rechecks/clock.ts";
import type { Secrets } from "../core/ports/secrets/secrets.ts";
import type { WebhookTransport } from "../core/ports/webhook/transport.ts";
import { noteCapacity } from "../core/reconcile/capacity.ts";
import { takeReport } from "../core/reconcile/report.ts";
import { sweepDue } from "../core/reconcile/sweep.ts";
import { sweepAskedHubs, sweepHubs } from "../core/reconcile/sweep-hub.ts";
import { sweepParts } from "../core/reconcile/sweep-parts.ts";
import { sweepPlaces } from "../core/reconcile/sweep-places.ts";
import type { TenantPolicy } from "../core/resources/tenant/model.ts";
import { WebhookSender } from "../core/resources/webhook/send.ts";
import { coreWorker, outsideWorker } from "../functions/worker.ts";
import { depsOf, runningAs } from "./as-deployed.ts";
import { localStepFunctions } from "./step-functions.ts";
import { readStream } from "./stream.ts";
import { every } from "./timer.ts";
import { mortal } from "./worker-ends.ts";
import { WorkflowEngine } from "./workflow/engine.ts";
import { serveStepFunctions } from "./workflow/protocol.ts";

/** The parts of AWS that Slipway uses, on a laptop: workflows, stream, schedules, invocations, the bus. */
export interface Platform {
  deps: ProcessDeps;
  engine: WorkflowEngine;
  /** The Step Functions protocol. */
  stepFunctions: (request: Request) => Promise<Response>;
  /** Takes a hub's report; on the bus its source is that hub. */
  report(report: Report): Promise<void>;
  /** Calls `listener` with every record of the stream once it has been relayed. */
  onRelayed(listener: (record: StreamRecord) => void): void;
  /** Continues the work that an earlier process left, and starts the schedules. */
  start(): void;
  /** Resolves when everything written so far has been relayed. */
  drained(): Promise<void>;
  stop(): Promise<void>;
}

export interface PlatformOptions {
  store: SqliteStore;
  /** The store, limited to the rights of functions (`heldStore`); `store` by default. */
  held?: Store;
  /** The engine's database: its path, or open; it is closed with the platform. */
  workflows: string | DatabaseSync;
  clock: Clock;
  wall: Clock;
  random: () => number;
  secrets: Secrets;
  hubs: Hubs;
  sites: Sites;
  servers: Servers;
  guests: Guests;
  webhooks: WebhookTransport;
  sagas: Sagas;
  kinds: Kinds;
  operated: Operated;
  relaying: typeof relaying;
  log: Log;
  workerTimeout: number;
  defaultQuota?: DefaultQuota;
  tenants?: TenantPolicy;
  /** Resolves when the next invocation may begin; at once by default. */
  turn?: () => Promise<void>;
  /** The clock of the event logs; by default one writer, this process. */
  logTime?: (clock: Clock) => LogTime;
  /** Milliseconds between sweeps of the due index. */
  dueEvery?: number;
  /** Milliseconds for which executions are kept after their end. */
  executionsKept?: number;
  /** Replaces the adapter for Step Functions, which speaks to the engine by AWS's protocol. */
  workflow?: (engine: WorkflowEngine) => Workflow;
  /** Whether hubs and sites are swept on schedule; true by default. */
  sweeps?: boolean;
  /** Wraps Step Functions' calls of the workers, to inject faults. */
  invoke?: Invoke;
  /** Wraps rechecks, to inject faults. */
  look?: Invoke;
}

/** Wraps a run of a worker. `name` is the saga's state or step. */
export type Invoke = (
  name: string,
  work: () => Promise<unknown>,
  operation: string,
) => Promise<unknown>;

/** The pauses between runs of the schedules, in milliseconds of the clock. */
const dueUsually = 10_000;
const hubEvery = 300_000;
const partsEvery = 300_000;
const orphansEvery = 900_000;
const capacityEvery = 3_600_000;
const webhooksEvery = 5_000;
const expiryEvery = 3_600_000;
/** Shorter than on AWS, which keeps ended executions for 90 days. */
const executionsUsuallyKept = hours(7 * 24);

const undisturbed: Invoke = (_, work) => work();

export function openPlatform(options: PlatformOptions): Platform {
  const {
    store,
    held = store,
    clock,
    wall,
    random,
    sagas,
    kinds,
    log,
    logTime = oneWriter,
    dueEvery = dueUsually,
    sweeps = true,
    executionsKept = executionsUsuallyKept,
  } = options;
  const listeners: ((record: StreamRecord) => void)[] = [];
  const { invoke = undisturbed, look = undisturbed } = options;
  const turn = options.turn ?? (async () => {});
  const engine = new WorkflowEngine({
    database: options.workflows,
    clock,
    random,
    integrations: {
      "lambda:invoke": async (args) => {
        const { FunctionName, Payload } = args as {
          FunctionName: Zone;
          Payload: { operation: string; step: string };
        };
        const { step, operation } = Payload;
        await turn();
        const work = () => mortal(() => workers[FunctionName](Payload), { isTask: true });
        await invoke(step, work, operation);
        return { StatusCode: 200, Payload: {} };
      },
    },
  });
  for (const saga of Object.values(sagas)) {
    engine.createStateMachine(
      saga.name,
      withWorkers(JSON.stringify(toAsl(saga)), (zone) => zone),
    );
  }
  const stepFunctions = serveStepFunctions(engine);
  const workflow = options.workflow?.(engine) ?? localStepFunctions(stepFunctions);
  const report = (told: Report) => runningAs("observe", () => takeReport(deps, sagas, told));
  const pendingRechecks = new Set<Promise<void>>();
  const recheckQueue = clockRecheckQueue({ clock, log }, (recheck) =>
    runningAs("due", () => recheckDue(deps, recheck)),
  );
  const deps: ProcessDeps = {
    ...options.relaying,
    // The store's stream loses nothing, however late the reader is.
    mayBring: () => stream?.isBehind() ?? true,
    zone: "hub",
    kinds,
    operated: options.operated,
    loadOperated: async () => options.operated,
    owners,
    observers,
    absences,
    machines,
    clock,
    wall,
    random,
    newId: idSource(clock, random),
    logTime: logTime(clock),
    store: held,
    secrets: options.secrets,
    workflow: { ...workflow, ...byKeptTokens(held, workflow) },
    // Nothing on a laptop subscribes to the bus; watches read the event log.
    bus: { publish: async () => {} },
    hubs: options.hubs,
    askableHubs: options.hubs,
    sites: options.sites,
    servers: options.servers,
    guests: options.guests,
    rechecks: {
      request: async (operation, step) => {
        const zone = await zoneOf({ store: held, kinds }, sagas, operation, step);
        await turn();
        const call = { operation, step, look: true };
        const work = () => mortal(() => workers[zone](call), { isTask: false });
        const recheck = look(step, work, operation)
          .then(() => undefined)
          .catch((error) =>
            log.warn({ operation, step, error: String(error) }, "a recheck failed"),
          );
        pendingRechecks.add(recheck);
        void recheck.finally(() => pendingRechecks.delete(recheck));
      },
    },
    // On AWS the invocation is asynchronous and retried; here the caller waits for it, and retries.
    wakes: { request: async (operation) => void (await workers.core({ operation, wake: true })) },
    recheckQueue,
    reports: { take: report },
    webhooks: options.webhooks,
    // The sender's own timer handles webhooks that are due later.
    webhookQueue: {
      put: async (_, after) => {
        if (after === 0) await sender.run();
      },
    },
    log,
    ...(options.defaultQuota ? { defaultQuota: options.defaultQuota } : {}),
    ...(options.tenants ? { tenants: options.tenants } : {}),
    workerTimeout: options.workerTimeout,
  };
  const outside = outsideWorker(deps, sagas);
  // It reaches no system outside, so that a step in the wrong zone fails here too.
  const { hubs: _, sites: __, servers: ___, guests: ____, ...core } = deps;
  const inner = coreWorker({ ...core, zone: "core" }, sagas);
  const workers: Record<Zone, ReturnType<typeof outsideWorker>> = {
    core: (call) => runningAs("core-worker", () => inner(call)),
    hub: (call) => runningAs("hub-worker", () => outside(call)),
    site: (call) => runningAs("site-worker", () => outside(call)),
  };
  const sender = new WebhookSender(depsOf("webhooks", deps));
  const stops: (() => Promise<void>)[] = [];
  let stream: ReturnType<typeof readStream> | undefined;

  return {
    deps,
    engine,
    stepFunctions,
    report,
    onRelayed: (listener) => listeners.push(listener),
    start() {
      engine.resume();
      const isWanted = (key: Key) => isRelayed(kinds, key);
      stream = readStream({ store, clock, log, isWanted }, async (record) => {
        await turn();
        await runningAs("relay", () => relay(deps, sagas, record));
        for (const listener of listeners) listener(record);
      });
      stops.push(every(clock, dueEvery, log, () => runningAs("due", () => sweepDue(deps, sagas))));
      const inZone = (zone: Zone, work: () => Promise<void>) => runningAs(`${zone}-worker`, work);
      const askedHubs = () => sweepAskedHubs(deps, sagas, (work) => inZone("hub", work));
      stops.push(every(clock, dueEvery, log, () => runningAs("due", askedHubs)));
      if (sweeps) {
        const asSweep = (work: () => Promise<void>) => () => runningAs("sweep", work);
        const hubs = () => sweepHubs(deps, sagas, (work) => inZone("hub", work));
        const parts = () => sweepParts(deps, (work) => inZone("site", work));
        stops.push(every(clock, hubEvery, log, asSweep(hubs)));
        stops.push(every(clock, partsEvery, log, asSweep(parts)));
        stops.push(
          every(
            clock,
            orphansEvery,
            log,
            asSweep(() => sweepPlaces(deps, inZone)),
          ),
        );
        stops.push(
          every(
            clock,
            capacityEvery,
            log,
            asSweep(() => noteCapacity(deps)),
          ),
        );
      }
      stops.push(every(clock, webhooksEvery, log, () => sender.run()));
      // DynamoDB removes expired items by itself.
      const expire = async () => store.sweepExpired(Math.floor(clock.now() / 1000));
      stops.push(every(clock, expiryEvery, log, expire));
      stops.push(every(clock, expiryEvery, log, () => engine.prune(executionsKept)));
    },
    drained: async () => stream?.drained(),
    async stop() {
      sender.stop();
      await Promise.all(stops.map((stop) => stop()));
      await stream?.stop();
      await recheckQueue.stop();
      await engine.close();
      await Promise.all(pendingRechecks);
    },
  };
}
