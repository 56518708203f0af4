import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../sim/database.ts";
import { Zones } from "../../../sim/dns/zones.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

describe("the servers of a simulated zone", () => {
  let clock: VirtualClock;
  let zones: Zones;
  const zone = { id: "Z1", name: "clouds.example.", serial: 1 };
  const put = (name: string, contents: string[], type = "A") => {
    const records = contents.map((content) => ({ content, disabled: false }));
    zones.put(zone, { name: `${name}.`, type, ttl: 60, records, comments: [] });
  };
  beforeEach(() => {
    clock = new VirtualClock();
    const database = openDatabase(":memory:");
    zones = new Zones({ database, clock, system: "test", propagation: 30_000 });
    zones.add(zone);
  });

  it("know of a change when it has reached them, and of the old until then", async () => {
    put("api.one.clouds.example", ["192.0.2.1"]);
    expect(zones.resolve("api.one.clouds.example", "A")).toEqual([]);
    await clock.advance(30_000);
    expect(zones.resolve("API.one.clouds.example.", "A")).toEqual(["192.0.2.1"]);
    put("api.one.clouds.example", ["192.0.2.2"]);
    await clock.advance(29_999);
    expect(zones.resolve("api.one.clouds.example", "A")).toEqual(["192.0.2.1"]);
    await clock.advance(1);
    expect(zones.resolve("api.one.clouds.example", "A")).toEqual(["192.0.2.2"]);
    zones.remove(zone, "api.one.clouds.example.", "A");
    expect(zones.resolve("api.one.clouds.example", "A")).toEqual(["192.0.2.2"]);
    await clock.advance(30_000);
    expect(zones.resolve("api.one.clouds.example", "A")).toEqual([]);
  });

  it("answer by a wildcard for names that are not there, at any depth", async () => {
    put("*.apps.one.clouds.example", ["192.0.2.1"]);
    put("own.apps.one.clouds.example", ["192.0.2.2"]);
    put("x.empty.apps.one.clouds.example", ["192.0.2.3"]);
    await clock.advance(30_000);
    const resolve = (label: string) => zones.resolve(`${label}.one.clouds.example`, "A");
    expect(resolve("console.apps")).toEqual(["192.0.2.1"]);
    expect(resolve("a.b.apps")).toEqual(["192.0.2.1"]);
    expect(resolve("*.apps")).toEqual(["192.0.2.1"]);
    expect(resolve("own.apps")).toEqual(["192.0.2.2"]);
    expect(resolve("apps")).toEqual([]);
    // A name that is there hides the wildcard, also from what is below it.
    expect(resolve("y.own.apps")).toEqual([]);
    expect(resolve("empty.apps")).toEqual([]);
    expect(resolve("y.empty.apps")).toEqual([]);
    expect(zones.resolve("console.apps.one.clouds.example", "AAAA")).toEqual([]);
  });

  it("answer for their own zones only, and for no disabled record", async () => {
    const records = [{ content: "192.0.2.1", disabled: true }];
    const name = "api.one.clouds.example.";
    zones.put(zone, { name, type: "A", ttl: 60, records, comments: [] });
    await clock.advance(30_000);
    expect(zones.resolve("api.one.clouds.example", "A")).toEqual([]);
    expect(zones.resolve("api.otherclouds.example", "A")).toEqual([]);
  });
});
