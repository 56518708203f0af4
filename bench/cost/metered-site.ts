import type { DatabaseSync } from "node:sqlite";
import { minutes, seconds } from "../../core/clock.ts";
import type { OperationId } from "../../core/id.ts";
import { manyWriters } from "../../core/kernel/events/log-time.ts";
import { shardOf } from "../../core/kernel/object/key-parts.ts";
import { targetPartition } from "../../core/kernel/object/keys.ts";
import { objectIn } from "../../core/kernel/object/records.ts";
import type { Operation } from "../../core/kernel/saga/operation.ts";
import { rowsOfTask } from "../../core/kernel/saga/phase.ts";
import { zoneOfAction } from "../../core/kernel/saga/saga.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
// Loaded now, since the filters' compiler is otherwise loaded with the first filter, in real time.
import "../../functions/api/list/filter.ts";
import type { FunctionName } from "../../infra/functions.ts";
import { sagas } from "../../statemachines/index.ts";
import type { Stop } from "../../test/support/laptop.ts";
import { type Answer, openSite, type Site } from "../../test/support/site.ts";
import { type Counts, type Details, Meter } from "./meter.ts";
import { MeteredStore } from "./metered-store.ts";

/** The partitions of a new on-demand table, each with a shard of the stream. */
const shards = 4;
/** How long the relay collects a batch after its first record. */
const window = seconds(1);
/** The interval between sweeps of the due index on AWS. */
const dueEvery = minutes(1);
/** The most events in one call of EventBridge. */
const eventsAtOnce = 10;
/** EventBridge charges for each 64 KB of an event. */
const eventBytes = 64 * 1024;

/** The counts in so many milliseconds. */
export interface Counted {
  counts: Counts;
  details: Details;
  passed: number;
}

/** How the operation of a change ends. */
export type End = "SUCCEEDED" | "FAILED" | "CANCELLED";

interface Options {
  /** The database of the site; in memory by default. */
  database?: DatabaseSync;
  /** Whether hubs and sites are swept on schedule. */
  sweeps?: boolean;
}

/** Slipway in virtual time, with a meter at each port that costs. */
export class MeteredSite {
  readonly site: Site;
  readonly #meter: Meter;
  readonly #store: MeteredStore;
  readonly #stops: Stop[];

  private constructor(site: Site, meter: Meter, store: MeteredStore, stops: Stop[]) {
    this.site = site;
    this.#meter = meter;
    this.#store = store;
    this.#stops = stops;
    meterPorts(site, meter);
  }

  static async open({ database, sweeps = true }: Options = {}): Promise<MeteredSite> {
    const meter = new Meter();
    const store = new MeteredStore(meter, database);
    const stops: Stop[] = [];
    const systems = new Map<string, string>();
    const site = await openSite({
      store,
      ...{ dueEvery, sweeps, logTime: manyWriters },
      atEnd: (stop) => stops.push(stop),
      invoke: (step, work) => {
        const worker = workerOf(step);
        meter.ran("steps");
        return meter.within(worker, work);
      },
      outside: ({ url, method }, send) => {
        const system = systems.get(new URL(url).origin) ?? "hosted cluster";
        meter.add("outsideCalls", 1, `${system}.${method}`);
        return send();
      },
    });
    for (const [name, url] of Object.entries(site.world.site.urls)) systems.set(url, name);
    for (const { server } of site.world.hubs())
      if (server !== undefined) systems.set(new URL(server).origin, "hub");
    // The client loads parts of itself at its first call, in real time.
    await site.laptop.deps.workflow.describe("cluster-create", "none");
    // The effects of a tenant's first request do not belong to an order.
    await site.api("POST", "projects", { metadata: { name: "first" } });
    await site.laptop.pass(afterwards);
    return new MeteredSite(site, meter, store, stops);
  }

  /** Counts while there are no requests: sweeps and heartbeats. */
  async rest(milliseconds: number): Promise<Omit<Counted, "passed">> {
    this.#read();
    await this.site.laptop.pass(milliseconds);
    return this.#read();
  }

  /** Counts one request with its immediate effects, at a time when nothing else runs. */
  async request(ask: (site: Site) => Promise<Answer>): Promise<Omit<Counted, "passed">> {
    this.#read();
    this.#meter.ran("requests");
    const { status, body } = await this.#meter.within("api", () => ask(this.site));
    if (status !== 200) throw new Error(`a request was refused: ${JSON.stringify(body)}`);
    await this.site.laptop.pass(1);
    return this.#read();
  }

  /**
   * Requests a change of a cluster, and counts until everything has ended, including the sweep's last check. `ask`
   * returns the cluster's id.
   */
  async change(
    saga: string,
    ask: (site: Site) => Promise<string>,
    end: End = "SUCCEEDED",
  ): Promise<Counted> {
    const { laptop } = this.site;
    const began = laptop.clock.now();
    this.#read();
    this.#meter.ran("requests");
    const id = await this.#meter.within("api", () => ask(this.site));
    await laptop.until(async () => {
      const state = (await this.lastOperation(id))?.status.state;
      if (state !== undefined && /SUCCEEDED|FAILED|CANCELLED|STUCK/.test(state) && state !== end)
        throw new Error(`${saga} ended as ${state}`);
      return state === end;
    }, `the end of ${saga}`);
    await laptop.pass(afterwards);
    this.#meter.add("transitions", this.#transitions(saga));
    return { ...this.#read(), passed: laptop.clock.now() - began };
  }

  /**
   * Requests a change of a cluster, and counts until one of its steps has ended, and a moment longer for its observers.
   */
  async upTo(step: string, ask: (site: Site) => Promise<string>): Promise<Counted> {
    const { laptop } = this.site;
    const began = laptop.clock.now();
    this.#read();
    this.#meter.ran("requests");
    const id = await this.#meter.within("api", () => ask(this.site));
    const isDone = async () => (await this.lastOperation(id))?.steps[step]?.state === "SUCCEEDED";
    while (!(await isDone())) await laptop.pass(100);
    return { ...this.#read(), passed: laptop.clock.now() - began };
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.reverse()) await stop();
  }

  #read(): Omit<Counted, "passed"> {
    return { counts: this.#meter.read(), details: this.#meter.readDetails() };
  }

  /** The last operation on a cluster, without counting the read. */
  async lastOperation(cluster: string): Promise<Operation | undefined> {
    const pk = targetPartition(cluster);
    const { items } = await this.#store.peek({ index: "g3", pk, reverse: true, limit: 1 });
    return items[0] && objectIn<"operation">(kinds, items[0]);
  }

  /** The saga's newest execution: states entered, and retries of tasks. */
  #transitions(saga: string): number {
    const { engine } = this.site.laptop;
    const [newest] = engine.listExecutions(machineArn(engine, saga), { limit: 1 });
    if (!newest) throw new Error(`${saga} did not run`);
    const types = engine.history(newest.arn).map(({ type }) => type);
    const count = (pattern: RegExp) => types.filter((type) => pattern.test(type)).length;
    const again = count(/^TaskScheduled$/) - count(/^TaskStateEntered$/);
    return count(/StateEntered$/) + again;
  }
}

/** The sweep's last check is a minute after the end. */
const afterwards = minutes(5);

type Engine = Site["laptop"]["engine"];

function machineArn(engine: Engine, saga: string): string {
  const machine = engine.listStateMachines({ limit: 100 }).find(({ name }) => name === saga);
  if (!machine) throw new Error(`there is no state machine ${saga}`);
  return machine.arn;
}

/** Wraps the ports, each an object that the whole process shares. */
function meterPorts({ laptop }: Site, meter: Meter): void {
  const { deps } = laptop;
  const { bus, rechecks, recheckQueue, workflow } = deps;
  const look = rechecks.request;
  const published = { now: 0 };
  Object.assign(bus, {
    publish: before(bus.publish, (events) => {
      published.now += events.length;
      for (const event of events) meter.add("events", chunksOf(event));
    }),
  });
  Object.assign(recheckQueue, {
    put: before(recheckQueue.put, () => {
      meter.add("awsCalls", 1, "SendMessage");
      meter.ran("messages");
    }),
  });
  Object.assign(rechecks, {
    // The requesting function runs the worker.
    request: (operation: OperationId, step: string) => {
      meter.add("awsCalls", 1, "Invoke");
      const worker = workerOf(step);
      meter.ran("looks");
      return meter.within(worker, () => look(operation, step));
    },
  });
  const call = (operation: string) => () => meter.add("awsCalls", 1, operation);
  const { start, succeed, fail, describe, plan } = workflow;
  Object.assign(workflow, {
    start: before(start, call("StartExecution")),
    succeed: before(succeed, call("SendTaskSuccess")),
    fail: before(fail, call("SendTaskFailure")),
    describe: before(describe, call("DescribeExecution")),
    plan: before(plan, call("DescribeStateMachineForExecution")),
  });
  const observe = laptop.report;
  laptop.report = (report) => {
    for (let n = 0; n < chunksOf(report); n++) meter.ran("reports");
    return meter.within("observe", () => observe(report));
  };
  const batches = Array.from({ length: shards }, () => ({ end: 0, events: 0 }));
  laptop.onRelayed(({ key }) => {
    const batch = batches[shardOf(key.pk, shards)];
    if (!batch) return;
    const now = laptop.clock.now();
    if (now >= batch.end) {
      Object.assign(batch, { end: now + window, events: 0 });
      meter.ran("relayBatches");
    }
    // The events of a batch are published together.
    const callsFor = (events: number) => Math.ceil(events / eventsAtOnce);
    const calls = callsFor(batch.events + published.now) - callsFor(batch.events);
    meter.add("awsCalls", calls, "PutEvents");
    batch.events += published.now;
    published.now = 0;
  });
}

/** The worker of a state or step; the same name has the same zone in all sagas. */
function workerOf(name: string): FunctionName {
  const rows = Object.values(sagas).flatMap((saga) => [...rowsOfTask(saga, name).values()]);
  const [zone = "core"] = rows.map(({ action }) => zoneOfAction(action));
  return `${zone}-worker`;
}

const chunksOf = (message: unknown): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(message)) / eventBytes);

/** Wraps a function with a callback before each call. */
const before =
  <A extends unknown[], R>(call: (...args: A) => R, tell: (...args: A) => void) =>
  (...args: A): R => {
    tell(...args);
    return call(...args);
  };
