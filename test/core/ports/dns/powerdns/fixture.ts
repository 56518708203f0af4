import { PowerDns, type PowerDnsOptions } from "../../../../../core/ports/dns/powerdns/powerdns.ts";
import { openDatabase } from "../../../../../sim/database.ts";
import { SimulatedPowerDns } from "../../../../../sim/dns/powerdns.ts";
import { Faults } from "../../../../../sim/faults.ts";
import { seeded } from "../../../../support/random.ts";
import { RecordedFetch } from "../../../../support/recorded-fetch.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import type { FaultyDnsFixture } from "../contract.ts";

const url = "http://powerdns.test:8081";
const zone = "clouds.example";
const zonePath = `/api/v1/servers/localhost/zones/${zone}.`;

/** PowerDNS simulated in virtual time, and the adapter on it. */
export function powerDnsFixture() {
  const clock = new VirtualClock();
  const database = openDatabase(":memory:");
  const faults = new Faults(database);
  const sim = new SimulatedPowerDns({ database, clock, wall: clock, random: seeded(1), faults });
  sim.addZone(zone);
  const network = new RecordedFetch(sim.handle);
  const timeout = 10_000;
  const adapter = (options: Partial<PowerDnsOptions> = {}) =>
    new PowerDns({
      url,
      zone,
      key: async () => sim.key,
      authority: async (name, type) => [sim.resolve(name, type)],
      wall: clock,
      timeout,
      fetch: network.fetch,
      ...options,
    });
  const ask = async (method: string, path: string, body?: object) =>
    sim.handle(
      new Request(`${url}${path}`, {
        method,
        headers: { "x-api-key": sim.key, accept: "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const fixture: FaultyDnsFixture = {
    dns: adapter(),
    stranger: adapter({ key: async () => "wrong" }),
    zone,
    faults,
    change: "PATCH /",
    secret: sim.key,
    timeout,
    run: (call) => clock.until(call),
    propagated: () => clock.advance(60_000),
    write: async (name, type, contents) => {
      const records = contents.map((content) => ({ content, disabled: false }));
      const set = { name: `${name}.`, type, ttl: 300, changetype: "REPLACE", records };
      const { status } = await ask("PATCH", zonePath, { rrsets: [set] });
      if (status !== 204) throw new Error(`answered ${status}`);
    },
    read: async (name, type) => {
      const found = sim.zones.list().flatMap((one) => sim.zones.setsAt(one, `${name}.`));
      const records = found.find((set) => set.type === type)?.records ?? [];
      return records.map(({ content }) => content);
    },
  };
  return { ...fixture, sim, clock, database, network, adapter, ask, zonePath };
}
