import { Route53Client } from "@aws-sdk/client-route-53";
import { Route53 } from "../../../../../core/ports/dns/route53/route53.ts";
import { openDatabase } from "../../../../../sim/database.ts";
import { SimulatedRoute53 } from "../../../../../sim/dns/route53.ts";
import { Faults } from "../../../../../sim/faults.ts";
import { seeded } from "../../../../support/random.ts";
import { RecordedFetch } from "../../../../support/recorded-fetch.ts";
import { sdkOver } from "../../../../support/sdk-over-fetch.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import type { FaultyDnsFixture } from "../contract.ts";

const zone = "clouds.example";
const accessKey = "AKIAEXAMPLE";
const secret = "the-secret-access-key";

/** Route 53 simulated in virtual time, and the adapter on it. */
export function route53Fixture() {
  const clock = new VirtualClock();
  const database = openDatabase(":memory:");
  const faults = new Faults(database);
  const sim = new SimulatedRoute53({
    database,
    clock,
    wall: clock,
    random: seeded(1),
    faults,
    accessKey,
  });
  const hostedZone = sim.addZone(zone);
  const network = new RecordedFetch(sim.handle);
  const timeout = 10_000;
  const adapter = (options: { hostedZone?: string; accessKeyId?: string } = {}) =>
    new Route53({
      client: new Route53Client({
        region: "us-east-1",
        credentials: {
          accessKeyId: options.accessKeyId ?? accessKey,
          secretAccessKey: secret,
        },
        maxAttempts: 1,
        requestHandler: sdkOver(network.fetch),
      }),
      hostedZone: options.hostedZone ?? hostedZone,
      wall: clock,
      timeout,
    });
  const zoneOf = () => {
    const found = sim.zones.get(hostedZone);
    if (!found) throw new Error("the zone is gone");
    return found;
  };
  const fixture: FaultyDnsFixture = {
    dns: adapter(),
    stranger: adapter({ accessKeyId: "AKIASTRANGER" }),
    zone,
    faults,
    change: "POST /2013-04-01/hostedzone/",
    secret,
    timeout,
    run: (call) => clock.until(call),
    propagated: () => clock.advance(60_000),
    write: async (name, type, contents) => {
      const set = {
        name: `${name}.`,
        type,
        ttl: 300,
        records: contents.map((content) => ({ content, disabled: false })),
        comments: [],
      };
      if (contents.length === 0) sim.zones.remove(zoneOf(), set.name, type);
      else sim.zones.put(zoneOf(), set);
    },
    read: async (name, type) => {
      const found = sim.zones.setsAt(zoneOf(), `${name}.`).find((set) => set.type === type);
      return found?.records.map(({ content }) => content) ?? [];
    },
  };
  return { ...fixture, sim, clock, network, adapter, hostedZone };
}
