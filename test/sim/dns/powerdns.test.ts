import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PowerDns } from "../../../core/ports/dns/powerdns/powerdns.ts";
import { clusterRecords } from "../../../core/resources/cluster/dns-names.ts";
import { openDatabase } from "../../../sim/database.ts";
import { SimulatedPowerDns } from "../../../sim/dns/powerdns.ts";
import { type PowerDnsVersion, powerDnsVersions } from "../../../sim/dns/powerdns-version.ts";
import { Faults } from "../../../sim/faults.ts";
import { addresses, owner } from "../../core/ports/dns/order.ts";
import { seeded } from "../../support/random.ts";
import { RecordedFetch } from "../../support/recorded-fetch.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { asking, powerDnsWire } from "./powerdns-wire.ts";

function open(path = ":memory:", clock = new VirtualClock(), seed = 1, version?: PowerDnsVersion) {
  const database = openDatabase(path);
  const faults = new Faults(database);
  const random = seeded(seed);
  const versioned = version && { version };
  const sim = new SimulatedPowerDns({ database, clock, wall: clock, random, faults, ...versioned });
  return { sim, clock, database };
}

describe.each(powerDnsVersions)("the simulated PowerDNS %s answers as a real one", (version) => {
  powerDnsWire(version, async () => {
    const { sim } = open(":memory:", new VirtualClock(), 1, version);
    sim.addZone("clouds.example");
    return { ask: asking("http://powerdns.test", sim.key, sim.handle), zone: "clouds.example" };
  });
});

describe("the simulated PowerDNS", () => {
  const records = clusterRecords(owner.domain, {
    ...addresses,
    ingress: ["192.0.2.11", "192.0.2.12"],
  });
  const adapter = ({ sim, clock }: ReturnType<typeof open>) =>
    new PowerDns({
      url: "http://powerdns.test",
      zone: "clouds.example",
      key: async () => sim.key,
      authority: async () => [],
      wall: clock,
      timeout: 1000,
      fetch: new RecordedFetch(sim.handle).fetch,
    });

  it("tells what exists and whose it is", async () => {
    const at = open();
    at.sim.addZone("clouds.example");
    await at.clock.until(adapter(at).ensure(owner, records));
    const zone = at.sim.zones.get("clouds.example.");
    const www = { name: "www.clouds.example.", type: "A", ttl: 60, comments: [] };
    const content = { content: "198.51.100.1", disabled: false };
    if (zone) at.sim.zones.put(zone, { ...www, records: [content] });
    const mine = { tenant: "tenant-a", kind: "cluster", id: owner.id };
    const item = (id: string, whose: object | null) => ({
      kind: "dns_record",
      id,
      system: "dns",
      owner: whose,
    });
    expect(at.sim.ledger()).toEqual([
      item("api.one.tenant-a.clouds.example. A 192.0.2.10", mine),
      item("api-int.one.tenant-a.clouds.example. A 10.0.0.10", mine),
      item("*.apps.one.tenant-a.clouds.example. A 192.0.2.11", mine),
      item("*.apps.one.tenant-a.clouds.example. A 192.0.2.12", mine),
      item("www.clouds.example. A 198.51.100.1", null),
    ]);
  });

  it("goes on with its zones and its key when it is opened again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "powerdns-"));
    try {
      const first = open(join(folder, "world.db"));
      first.sim.addZone("clouds.example");
      await first.clock.until(adapter(first).ensure(owner, records));
      first.database.close();
      const second = open(join(folder, "world.db"), first.clock, 2);
      second.sim.addZone("clouds.example");
      expect(second.sim.key).toBe(first.sim.key);
      expect(second.sim.ledger()).toHaveLength(4);
      expect(second.sim.resolve(`api.${owner.domain}`, "A")).toEqual([]);
      await second.clock.advance(2_000);
      expect(second.sim.resolve(`api.${owner.domain}`, "A")).toEqual(["192.0.2.10"]);
      second.database.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
