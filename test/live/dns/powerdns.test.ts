import { randomUUID } from "node:crypto";
import { describe, it } from "vitest";
import { systemClock } from "../../../core/clock.ts";
import { askAuthority } from "../../../core/ports/dns/powerdns/authority.ts";
import { PowerDns } from "../../../core/ports/dns/powerdns/powerdns.ts";
import { dnsContract } from "../../core/ports/dns/contract.ts";
import { asking, powerDnsWire } from "../../sim/dns/powerdns-wire.ts";

/** A real server, such as test/live/powerdns.sh starts. All of it in one file: on SQLite, changes at the same time fail. */
const { POWERDNS_URL: url, POWERDNS_KEY: key, POWERDNS_VERSION = "5.1" } = process.env;

describe("a real PowerDNS", () => {
  if (!url || !key) {
    it.skip("skipped: POWERDNS_URL and POWERDNS_KEY are not set (test/live/powerdns.sh)");
    return;
  }
  const isBefore5 = Number.parseInt(POWERDNS_VERSION, 10) < 5;
  const server = process.env.POWERDNS_DNS ?? new URL(url).hostname;
  const ask = asking(url, key, fetch);
  const done = async (method: string, path: string, body?: object) => {
    const response = await ask(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return response;
  };
  const newZone = async () => {
    const zone = `test-${randomUUID().slice(0, 8)}.example`;
    const nameservers = ["ns1.example."];
    await done("POST", "/zones", { name: `${zone}.`, kind: "Native", nameservers });
    return zone;
  };

  describe("answers as the simulated one", () => {
    powerDnsWire(isBefore5 ? "4.7" : "5.1", async () => ({ ask, zone: await newZone() }));
  });

  describe("keeps the contract", () => {
    dnsContract(async () => {
      const zone = await newZone();
      const authority = askAuthority([server]);
      const wall = systemClock;
      return {
        zone,
        dns: new PowerDns({ url, zone, key: async () => key, authority, wall, timeout: 10_000 }),
        run: (call) => call,
        propagated: async () => {},
        write: async (name, type, contents) => {
          const records = contents.map((content) => ({ content, disabled: false }));
          const set = { name: `${name}.`, type, ttl: 300, changetype: "REPLACE", records };
          await done("PATCH", `/zones/${zone}.`, { rrsets: [set] });
        },
        read: async (name, type) => {
          const response = await done("GET", `/zones/${zone}.`);
          const { rrsets } = (await response.json()) as {
            rrsets: { name: string; type: string; records: { content: string }[] }[];
          };
          const found = rrsets.find((set) => set.name === `${name}.` && set.type === type);
          return found?.records.map(({ content }) => content) ?? [];
        },
      };
    });
  });
});
