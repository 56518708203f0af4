import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Sites } from "../../core/at-site/sites.ts";
import type { Sagas } from "../../core/kernel/saga/settle.ts";
import { openSqliteStore, type SqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { silent } from "../../core/log.ts";
import type { Servers } from "../../core/ports/bare-metal/servers.ts";
import type { Guests } from "../../core/ports/guest/guest.ts";
import type { Hubs } from "../../core/ports/hub/hub.ts";
import type { Secrets } from "../../core/ports/secrets/secrets.ts";
import type { WebhookTransport } from "../../core/ports/webhook/transport.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { operated } from "../../core/resources/generated/operated.ts";
import { relaying } from "../../core/resources/relaying.ts";
import {
  type Invoke,
  openPlatform,
  type Platform,
  type PlatformOptions,
} from "../../local/platform.ts";
import { whileAlive } from "../../local/worker-ends.ts";
import { memorySecrets } from "./memory-secrets.ts";
import { seeded } from "./random.ts";
import { VirtualClock } from "./virtual-clock.ts";
import { workerTimeout } from "./worker-time.ts";

/** The laptop's platform in virtual time, in memory: sagas run through their emitted ASL. */
export interface Laptop extends Platform {
  clock: VirtualClock;
  store: SqliteStore;
  /** Moves time on, in small steps so that everything in between can happen. */
  pass(ms: number): Promise<void>;
  /** Moves time on until it holds. Throws when it does not within a week of virtual time. */
  until(holds: () => Promise<boolean> | boolean, what?: string): Promise<void>;
}

/** Ends what was started. */
export type Stop = () => void | Promise<void>;

export interface LaptopOptions {
  sagas: Sagas;
  /** The registries of kinds; the product's unless given. */
  resources?: Pick<PlatformOptions, "kinds" | "operated" | "relaying">;
  hubs?: Hubs;
  sites?: Sites;
  servers?: Servers;
  guests?: Guests;
  webhooks?: WebhookTransport;
  clock?: VirtualClock;
  store?: SqliteStore;
  held?: PlatformOptions["held"];
  workflows?: string | DatabaseSync;
  secrets?: Secrets;
  random?: () => number;
  invoke?: Invoke;
  look?: Invoke;
  workflow?: PlatformOptions["workflow"];
  workerTimeout?: number;
  logTime?: PlatformOptions["logTime"];
  dueEvery?: number;
  sweeps?: boolean;
  atEnd?: (stop: Stop) => void;
}

const noHubs: Hubs = {
  client: async () => {
    throw new Error("this test has no hubs");
  },
};

const noSites: Sites = {
  systems: async () => {
    throw new Error("this test has no sites");
  },
};

const noServers: Servers = {
  open: async () => {
    throw new Error("this test has no servers");
  },
};

const noGuests: Guests = {
  reach: async () => {
    throw new Error("this test has no hosted clusters");
  },
};

const noReceivers: WebhookTransport = {
  refusal: async () => undefined,
  post: async () => {
    throw new Error("this test has no receivers");
  },
};

/** Lets time pass when something does not end by itself: a call that gets no answer waits for its timeout. */
async function withTime(clock: VirtualClock, end: Promise<void>): Promise<void> {
  const hasEnded = end.then(() => true);
  while (!(await Promise.race([hasEnded, pause(1000, false)]))) await clock.advance(10_000);
}

export function openLaptop(options: LaptopOptions): Laptop {
  const clock = options.clock ?? new VirtualClock();
  const store = options.store ?? openSqliteStore(":memory:");
  const platform = openPlatform({
    store,
    ...(options.held ? { held: options.held } : {}),
    workflows: options.workflows ?? ":memory:",
    clock,
    wall: clock,
    random: options.random ?? seeded(1),
    secrets: options.secrets ?? memorySecrets(),
    hubs: options.hubs ?? noHubs,
    sites: options.sites ?? noSites,
    servers: options.servers ?? noServers,
    guests: options.guests ?? noGuests,
    webhooks: options.webhooks ?? noReceivers,
    sagas: options.sagas,
    ...(options.resources ?? { kinds, operated, relaying }),
    log: silent,
    workerTimeout: options.workerTimeout ?? workerTimeout,
    ...(options.invoke ? { invoke: options.invoke } : {}),
    ...(options.look ? { look: options.look } : {}),
    ...(options.workflow ? { workflow: options.workflow } : {}),
    ...(options.logTime ? { logTime: options.logTime } : {}),
    ...(options.dueEvery === undefined ? {} : { dueEvery: options.dueEvery }),
    ...(options.sweeps === undefined ? {} : { sweeps: options.sweeps }),
  });
  // A worker that has died writes nothing more.
  const transact = store.transact.bind(store);
  store.transact = (writes) => whileAlive(() => transact(writes));
  platform.start();
  const { atEnd = onTestFinished } = options;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= withTime(clock, platform.stop());
    return stopped;
  };
  atEnd(stop);

  const step = async (ms: number) => {
    await clock.advance(ms);
    await platform.drained();
  };
  const pass = async (ms: number) => {
    const slices = Math.max(1, Math.ceil(ms / 5000));
    for (let i = 0; i < slices; i++) await step(ms / slices);
  };
  return {
    ...platform,
    stop,
    clock,
    store,
    pass,
    async until(holds, what = "it") {
      for (let waited = 0, slice = 1000; waited < 7 * 24 * 3_600_000; waited += slice) {
        if (await holds()) return;
        // Long waits are crossed in longer strides.
        slice = waited < 30_000 ? 1000 : waited < 1_800_000 ? 5000 : 60_000;
        await step(slice);
      }
      throw new Error(`${what} did not happen within a week`);
    },
  };
}
