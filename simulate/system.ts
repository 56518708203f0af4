import type { Sagas } from "../core/kernel/saga/settle.ts";
import { openDatabase as openStore } from "../core/kernel/store/sqlite/tables.ts";
import type { StreamRecord, Write } from "../core/kernel/store/store.ts";
import type { createApp } from "../functions/api/app.ts";
import { seedOffers, seedSite } from "../local/seed.ts";
import { openDatabase } from "../sim/database.ts";
import { sagas as ours } from "../statemachines/index.ts";
import { memorySecrets } from "../test/support/memory-secrets.ts";
import { seeded } from "../test/support/random.ts";
import type { Answer } from "../test/support/site.ts";
import { reportFrom } from "../test/support/site-reports.ts";
import { VirtualClock } from "../test/support/virtual-clock.ts";
import { DeadHosts } from "./dead-hosts.ts";
import { delivered } from "./deliveries.ts";
import { Dice } from "./dice.ts";
import { Outages } from "./outages.ts";
import { Refusals } from "./refusals.ts";
import { machinesReach } from "./servers/asked.ts";
import { nics, type ServerCounts, sorts } from "./servers/hardware.ts";
import { type Ground, openSlipway, type Slipway } from "./slipway.ts";
import { type Size, startUp, Worlds } from "./worlds.ts";

/** Slipway in virtual time, over several sites, with faults at every boundary. */
export interface System
  extends Pick<Ground, "worlds" | "dice" | "outages" | "refusals" | "deadHosts" | "secrets"> {
  clock: VirtualClock;
  /** Slipway's current process; another one after a restart. */
  readonly slipway: Slipway;
  /** Kills the process and starts another; what was in memory is lost. */
  restart(): void;
  /** Calls `listener` with every record of the stream after its relay, by any process. */
  onRelayed(listener: (record: StreamRecord) => void): void;
  /** Calls `watcher` with every transaction as soon as it is written, by any process. */
  onWritten(watcher: (writes: readonly Write[]) => void): void;
  /** Calls the public API as a tenant's administrator. */
  ask(tenant: string, method: string, path: string, body?: object): Promise<Answer>;
  /** Calls the private API as the provider's administrator. */
  administer(method: string, path: string, body?: object): Promise<Answer>;
  stop(): Promise<void>;
}

interface SystemOptions {
  seed: number;
  /** The probability that a call, a delivery or a run fails. */
  faults: number;
  size: Size;
  /** The product's sagas by default. */
  sagas?: Sagas;
}

/** Opens a system with its offers and sites; no fault happens until the dice are on. */
export async function openSystem(options: SystemOptions): Promise<System> {
  const { seed, faults, size, sagas = ours } = options;
  const clock = new VirtualClock();
  const random = seeded(seed);
  const dice = new Dice(seeded(seed + 1), faults);
  const outages = new Outages(clock);
  const refusals = new Refusals(clock);
  const deadHosts = new DeadHosts(clock);
  const worlds = await Worlds.open(clock, random, size);
  await clock.advance(startUp);
  const databases = { store: openStore(":memory:"), workflows: openDatabase(":memory:") };
  const secrets = new Map<string, string>();
  const ground: Ground = {
    ...{ clock, random, databases, secrets, worlds, outages, refusals, deadHosts, dice, sagas },
  };
  const listeners: ((record: StreamRecord) => void)[] = [];
  const watchers: ((writes: readonly Write[]) => void)[] = [];
  const open = () => {
    const opened = openSlipway(ground);
    opened.onRelayed((record) => {
      for (const listener of listeners) listener(record);
    });
    opened.store.onWritten((writes) => {
      for (const watcher of watchers) watcher(writes);
    });
    return opened;
  };
  let slipway = open();
  await seedOffers(slipway.app, memorySecrets(secrets));
  await seedTemplates(slipway.app);
  const machines = machinesReach(() => slipway, clock, dice);
  for (const { world } of worlds.sites) world.network.siteController = machines;
  if (size.servers) await addHostTypes(slipway.app, size.servers);
  for (const site of worlds.sites) await seedSite(slipway.app, site);
  const stops: (() => void | Promise<void>)[] = [];
  const agents = {
    clock,
    async report(told: Parameters<Slipway["report"]>[0]) {
      if (outages.isAway("hub", told.hub)) return;
      const what = told.heartbeat ? "a heartbeat" : "a report";
      await delivered(dice, clock, what, () => {
        const { process, report } = slipway;
        return process.serve(() => report(told));
      });
    },
  };
  for (const hub of worlds.hubs())
    await reportFrom(hub, agents, { atEnd: (stop) => void stops.unshift(stop) });
  await clock.advance(1000);
  await slipway.drained();
  return {
    ...{ clock, worlds, dice, outages, refusals, deadHosts, secrets },
    get slipway() {
      return slipway;
    },
    restart() {
      slipway.process.end();
      slipway = open();
    },
    onRelayed: (listener) => void listeners.push(listener),
    onWritten: (watcher) => void watchers.push(watcher),
    async ask(tenant, method, path, body) {
      const claims = { sub: `user-of-${tenant}`, organization: [tenant], roles: ["tenant-admin"] };
      const init = { method, ...(body && { body: JSON.stringify(body) }) };
      const url = `/api/fulfillment/v1/${path}`;
      const response = await slipway.app.request(url, init, { claims });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    async administer(method, path, body) {
      const claims = { sub: "root", roles: ["provider-admin"] };
      const init = { method, ...(body && { body: JSON.stringify(body) }) };
      const url = `/api/private/v1/${path}`;
      const response = await slipway.app.request(url, init, { claims });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    async stop() {
      for (const stop of stops) await stop();
      slipway.process.end();
      await worlds.stop();
      for (const database of Object.values(databases)) database.close();
    },
  };
}

/** Templates with two host types, so that node sets can be exchanged; one holds failed orders. */
const ownTemplates = { mixed: {}, held: { on_failure: "hold" } };

type App = ReturnType<typeof createApp>;

async function seedTemplates(app: App): Promise<void> {
  for (const [id, more] of Object.entries(ownTemplates))
    await add(app, "cluster_templates", {
      id,
      metadata: { name: id },
      node_sets: { workers: { host_type: "fc430", size: 2 } },
      allowed_host_types: ["h100"],
      ...more,
    });
}

/** Creates the host types of whole servers for tenants. */
async function addHostTypes(app: App, { dpus = nics }: ServerCounts): Promise<void> {
  for (const { hostType: id, cores: cpus, hasDpus } of Object.values(sorts))
    await add(app, "host_types", {
      id,
      metadata: { name: id },
      hardware: { cpus, memory_gib: 512, ...(hasDpus && { dpus }) },
    });
}

async function add(app: App, collection: string, body: object): Promise<void> {
  const claims = { sub: "root", roles: ["provider-admin"] };
  const init = { method: "POST", body: JSON.stringify(body) };
  const made = await app.request(`/api/private/v1/${collection}`, init, { claims });
  if (made.status !== 200) throw new Error(`seeding ${collection}: ${await made.text()}`);
}
