import type { DatabaseSync } from "node:sqlite";
import { SqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { openDatabase } from "../../core/kernel/store/sqlite/tables.ts";
import type { Store } from "../../core/kernel/store/store.ts";
import { createApp } from "../../functions/api/app.ts";
import { type Api, catalogApi, people } from "../../test/support/api.ts";
import { type Calls, counting } from "../../test/support/counting-store.ts";
import { type TestDeps, testDeps } from "../../test/support/deps.ts";

/** The API with a tenant's administrator `amy` as its caller, over a store whose calls are counted and timed. */
export interface World {
  deps: TestDeps;
  /** The store's own database. */
  database: DatabaseSync;
  /** Calls with any identity, through the tests' own entrance. */
  api: Api;
  calls: Calls;
  /** CPU milliseconds inside the store, which works synchronously. */
  storeTime(): number;
  /** The text of a successful answer. */
  ask(path: string, init?: RequestInit): Promise<string>;
}

/** A world in a file, or in memory. */
export async function openWorld(path = ":memory:"): Promise<World> {
  const database = openDatabase(path);
  const deps = testDeps({ store: new SqliteStore(database) });
  const api = await catalogApi(deps);
  const { counted, calls } = counting(deps.store);
  const { timed, time } = timing(counted);
  const principal = () => people.amy;
  const app = createApp({ ...deps, store: timed }, { profile: "slipway", principal });
  return {
    deps,
    database,
    api,
    calls,
    storeTime: time,
    async ask(path, init) {
      const response = await app.request(path, init);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${text}`);
      return text;
    },
  };
}

function timing(store: Store): { timed: Store; time: () => number } {
  let spent = 0;
  const measured = <T>(call: () => T): T => {
    const start = process.cpuUsage();
    try {
      return call();
    } finally {
      const { user, system } = process.cpuUsage(start);
      spent += (user + system) / 1000;
    }
  };
  return {
    time: () => spent,
    timed: {
      get: (key) => measured(() => store.get(key)),
      getMany: (keys) => measured(() => store.getMany(keys)),
      query: (query) => measured(() => store.query(query)),
      count: (query) => measured(() => store.count(query)),
      transact: (writes) => measured(() => store.transact(writes)),
    },
  };
}
