import { Ceph, type CephOptions } from "../../../../../core/ports/storage/ceph/ceph.ts";
import { openDatabase } from "../../../../../sim/database.ts";
import { Faults } from "../../../../../sim/faults.ts";
import { SimulatedCeph } from "../../../../../sim/storage/ceph.ts";
import { seeded } from "../../../../support/random.ts";
import { RecordedFetch } from "../../../../support/recorded-fetch.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import type { FaultyStorageFixture } from "../contract.ts";

const url = "https://mgr.test:8443";
const pool = "clusters";

/** Ceph simulated in virtual time, and the adapter on it. */
export function cephFixture() {
  const clock = new VirtualClock();
  const database = openDatabase(":memory:");
  const faults = new Faults(database);
  const sim = new SimulatedCeph({ database, clock, wall: clock, random: seeded(1), faults });
  sim.addPool(pool);
  const network = new RecordedFetch(sim.handle);
  const { username, password } = sim;
  const adapter = (options: Partial<CephOptions> = {}) =>
    new Ceph({
      url,
      pool,
      credential: async () => ({ username, password }),
      wall: clock,
      timeout: 10_000,
      fetch: network.fetch,
      ...options,
    });
  const ask = async (method: string, path: string, body?: object, version = "1.0") =>
    sim.handle(
      new Request(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${sim.newToken()}`,
          accept: `application/vnd.ceph.api.v${version}+json`,
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const fixture: FaultyStorageFixture = {
    storage: adapter(),
    stranger: adapter({ credential: async () => ({ username, password: "a-wrong-password" }) }),
    faults,
    create: "POST /api/cluster/user",
    secrets: [password, "a-wrong-password"],
    run: (call) => clock.until(call),
    addVolume: async (namespace, name) => {
      const image = { name, pool_name: pool, namespace, size: 1 << 30 };
      const { status } = await ask("POST", "/api/block/image", image);
      if (status !== 201) throw new Error(`answered ${status}`);
    },
    removeVolume: async (namespace, name) => {
      const spec = encodeURIComponent(`${pool}/${namespace}/${name}`);
      const { status } = await ask("DELETE", `/api/block/image/${spec}`);
      if (status !== 204) throw new Error(`answered ${status}`);
    },
    expireCredentials: () => clock.advance(9 * 3_600_000),
    ledger: () => sim.ledger(),
  };
  return { ...fixture, sim, clock, database, network, adapter, ask, pool };
}
