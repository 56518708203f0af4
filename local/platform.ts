import type { Clock } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import type { Event } from "../core/events/events.ts";
import { relay } from "../core/feedback/relay.ts";
import { takeReport } from "../core/feedback/report.ts";
import { sweepDue } from "../core/feedback/sweep.ts";
import { sweepHub } from "../core/feedback/sweep-hub.ts";
import type { Hubs } from "../core/hub/hub.ts";
import type { Report } from "../core/hub/news.ts";
import { idSource } from "../core/id.ts";
import type { Log } from "../core/log.ts";
import { candidates } from "../core/placement/hubs.ts";
import { toAsl } from "../core/saga/asl.ts";
import type { Sagas } from "../core/saga/settle.ts";
import type { Secrets } from "../core/secrets/secrets.ts";
import type { SqliteStore } from "../core/store/sqlite.ts";
import { worker } from "../functions/worker.ts";
import { localStepFunctions } from "./step-functions.ts";
import { readStream } from "./stream.ts";
import { every } from "./timer.ts";
import { WorkflowEngine } from "./workflow/engine.ts";
import { serveStepFunctions } from "./workflow/protocol.ts";

/** What AWS is to Slipway, on a laptop: workflows, stream, schedules, invocations, the bus. */
export interface Platform {
  deps: Deps;
  engine: WorkflowEngine;
  /** The Step Functions protocol. */
  stepFunctions: (request: Request) => Promise<Response>;
  /** News from a hub, as its own source on the bus. */
  report(report: Report): Promise<void>;
  onEvent(listener: (event: Event) => void): void;
  /** Takes up what an earlier process left, and starts the schedules. */
  start(): void;
  /** Resolves when what was written so far has been relayed. */
  drained(): Promise<void>;
  stop(): Promise<void>;
}

export interface PlatformOptions {
  store: SqliteStore;
  /** Path of the engine's database. */
  workflows: string;
  clock: Clock;
  wall: Clock;
  random: () => number;
  secrets: Secrets;
  hubs: Hubs;
  sagas: Sagas;
  log: Log;
  workerTimeout: number;
  /** Stands between Step Functions and the worker: where faults are injected. */
  invoke?: (step: string, work: () => Promise<unknown>) => Promise<unknown>;
}

/** How often the schedules run, in milliseconds of the clock. */
const dueEvery = 10_000;
const hubEvery = 300_000;

export function openPlatform(options: PlatformOptions): Platform {
  const { store, clock, wall, random, sagas, log } = options;
  const listeners: ((event: Event) => void)[] = [];
  const invoke = options.invoke ?? ((_, work) => work());
  const engine = new WorkflowEngine({
    database: options.workflows,
    clock,
    random,
    integrations: {
      "lambda:invoke": async (args) => {
        const { Payload } = args as { Payload: { step: string } };
        await invoke(Payload.step, () => work(Payload));
        return { StatusCode: 200, Payload: {} };
      },
    },
  });
  for (const saga of Object.values(sagas)) {
    engine.createStateMachine(
      saga.name,
      JSON.stringify(toAsl(saga)).replaceAll("$" + "{Worker}", "worker"),
    );
  }
  const stepFunctions = serveStepFunctions(engine);
  const pendingLooks = new Set<Promise<void>>();
  const deps: Deps = {
    clock,
    wall,
    random,
    newId: idSource(clock, random),
    store,
    secrets: options.secrets,
    workflow: localStepFunctions(stepFunctions),
    bus: {
      publish: async (events) => {
        for (const event of events) for (const listener of listeners) listener(event);
      },
    },
    hubs: options.hubs,
    looks: {
      look: async (operation, step) => {
        const look = work({ operation, step, look: true })
          .then(() => undefined)
          .catch((error) => log.warn({ operation, step, error: String(error) }, "a look failed"));
        pendingLooks.add(look);
        void look.finally(() => pendingLooks.delete(look));
      },
    },
    log,
    workerTimeout: options.workerTimeout,
  };
  const work = worker(deps, sagas);
  const stops: (() => Promise<void>)[] = [];
  let stream: ReturnType<typeof readStream> | undefined;

  return {
    deps,
    engine,
    stepFunctions,
    report: (report) => takeReport(deps, sagas, report),
    onEvent: (listener) => listeners.push(listener),
    start() {
      engine.resume();
      stream = readStream({ store, clock, log }, (record) => relay(deps, sagas, record));
      stops.push(every(clock, dueEvery, log, () => sweepDue(deps, sagas)));
      stops.push(
        every(clock, hubEvery, log, async () => {
          for (const { hub } of await candidates(store)) await sweepHub(deps, sagas, hub.id);
        }),
      );
    },
    drained: async () => stream?.drained(),
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      await stream?.stop();
      await engine.close();
      await Promise.all(pendingLooks);
    },
  };
}
