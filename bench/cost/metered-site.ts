import { minutes, seconds } from "../../core/clock.ts";
import { shardOf, targetPartition } from "../../core/kernel/object/keys.ts";
import { objectIn } from "../../core/kernel/object/records.ts";
import type { Operation } from "../../core/kernel/saga/operation.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import type { Stop } from "../../test/support/laptop.ts";
import { openSite, type Site } from "../../test/support/site.ts";
import { type Counts, Meter } from "./meter.ts";
import { MeteredStore } from "./metered-store.ts";

/** A table on demand begins with this many partitions, each with a shard of the stream. */
const shards = 4;
/** How long the relay gathers a batch, once there is a record. */
const window = seconds(1);
/** On AWS the due index is swept once a minute. */
const dueEvery = minutes(1);
/** An event is charged by each 64 KB. */
const eventBytes = 64 * 1024;

/** What was counted in so many milliseconds. */
interface Counted {
  counts: Counts;
  passed: number;
}

/** All of Slipway in virtual time, with a meter at each port that costs. */
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

  static async open(): Promise<MeteredSite> {
    const meter = new Meter();
    const store = new MeteredStore(meter);
    const stops: Stop[] = [];
    const site = await openSite({
      store,
      dueEvery,
      atEnd: (stop) => stops.push(stop),
      invoke: (_, work) => {
        meter.add("steps");
        return work();
      },
      outside: (_, send) => {
        meter.add("outsideCalls");
        return send();
      },
    });
    // What a tenant's first request brings about is no part of an order.
    await site.api("POST", "projects", { metadata: { name: "first" } });
    await site.laptop.pass(afterwards);
    return new MeteredSite(site, meter, store, stops);
  }

  /** Counts while nobody asks for anything: sweeps, heartbeats. */
  async rest(milliseconds: number): Promise<Counts> {
    this.#meter.read();
    await this.site.laptop.pass(milliseconds);
    return this.#meter.read();
  }

  /**
   * Asks for a change of a cluster and counts until all of it is over, the last look of the sweep
   * included. `ask` answers the cluster's id.
   */
  async change(saga: string, ask: (site: Site) => Promise<string>): Promise<Counted> {
    const { laptop } = this.site;
    const began = laptop.clock.now();
    this.#meter.read();
    this.#meter.add("requests");
    const id = await ask(this.site);
    await laptop.until(async () => {
      const state = (await this.#lastOperation(id))?.status.state;
      if (state !== undefined && /FAILED|CANCELLED|STUCK/.test(state))
        throw new Error(`${saga} ended as ${state}`);
      return state === "SUCCEEDED";
    }, `the end of ${saga}`);
    await laptop.pass(afterwards);
    this.#meter.add("transitions", this.#transitions(saga));
    return { counts: this.#meter.read(), passed: laptop.clock.now() - began };
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.reverse()) await stop();
  }

  async #lastOperation(cluster: string): Promise<Operation | undefined> {
    const pk = targetPartition(cluster);
    const { items } = await this.#store.peek({ index: "g3", pk, reverse: true, limit: 1 });
    return items[0] && objectIn<"operation">(kinds, items[0]);
  }

  /** Of the saga's newest execution: states entered, and tasks that were called again. */
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

/** The sweep takes its last look a minute after the end. */
const afterwards = minutes(5);

type Engine = Site["laptop"]["engine"];

function machineArn(engine: Engine, saga: string): string {
  const machine = engine.listStateMachines({ limit: 100 }).find(({ name }) => name === saga);
  if (!machine) throw new Error(`there is no state machine ${saga}`);
  return machine.arn;
}

/** Each port is one object that everything in the process shares. */
function meterPorts({ laptop }: Site, meter: Meter): void {
  const { deps } = laptop;
  const { bus, rechecks, workflow } = deps;
  Object.assign(bus, {
    publish: before(bus.publish, (events) => {
      meter.add("awsCalls");
      for (const event of events) meter.add("events", chunksOf(event));
    }),
  });
  Object.assign(rechecks, {
    request: before(rechecks.request, () => {
      meter.add("awsCalls");
      meter.add("looks");
    }),
  });
  const call = () => meter.add("awsCalls");
  const { start, succeed, fail, describe } = workflow;
  Object.assign(workflow, {
    start: before(start, call),
    succeed: before(succeed, call),
    fail: before(fail, call),
    describe: before(describe, call),
  });
  laptop.report = before(laptop.report, (report) => {
    meter.add("reports", chunksOf(report));
  });
  const ends = new Array<number>(shards).fill(0);
  laptop.onRelayed(({ key }) => {
    const shard = shardOf(key.pk, shards);
    const now = laptop.clock.now();
    if (now < (ends[shard] ?? 0)) return;
    ends[shard] = now + window;
    meter.add("relayBatches");
  });
}

const chunksOf = (message: unknown): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(message)) / eventBytes);

/** A function that is told of before each call. */
const before =
  <A extends unknown[], R>(call: (...args: A) => R, tell: (...args: A) => void) =>
  (...args: A): R => {
    tell(...args);
    return call(...args);
  };
