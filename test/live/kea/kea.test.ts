import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { systemClock } from "../../../core/clock.ts";
import { basicAuthorization } from "../../../core/http.ts";
import { openDatabase } from "../../../sim/database.ts";
import { Faults } from "../../../sim/faults.ts";
import { faulty } from "../../../sim/faulty.ts";
import { refuse } from "../../../sim/kea/kea.ts";
import { type DhcpFixture, dhcpContract } from "../../core/ports/dhcp/contract.ts";
import { asKea, keaFixture } from "../../core/ports/dhcp/kea/fixture.ts";
import { RecordedFetch } from "../../support/recorded-fetch.ts";
import { compareRaw, inProcess, type Side } from "../compare.ts";
import { addSubnet, firstAnswer, getLeases, keaRows, prefix } from "./raw.ts";
import { KeaServer } from "./server.ts";

const leasesSchema = z.object({ leases: z.tuple([z.record(z.string(), z.unknown())]) });

/** A real server, such as test/live/kea.sh starts. */
describe("a real Kea", () => {
  const server = KeaServer.ofEnvironment();
  if (!server) {
    it.skip("skipped: KEA_URL, KEA_USER, KEA_PASSWORD and KEA_DHCP are not set (test/live/kea.sh)");
    return;
  }
  afterAll(() => server.clear());

  describe("answers as the simulated one", () => {
    const { sim } = keaFixture();
    const real = firstAnswer(server.ask);
    const simulated = firstAnswer(
      inProcess(sim.handle, { authorization: basicAuthorization(sim) }),
    );
    beforeAll(() => server.clear());
    compareRaw(keaRows, () => ({ real: [real], simulated: [simulated] }));

    it("about a lease, with the same members", async () => {
      const mac = "52:54:00:00:00:09";
      for (const side of [real, simulated]) expect((await side(addSubnet)).status).toBe(200);
      expect(await server.leaseOf(mac, prefix)).toBe("10.0.3.10");
      expect(sim.leaseOf(mac, prefix)?.address).toBe("10.0.3.10");
      const members = async (side: Side) => {
        const [lease] = leasesSchema.parse((await side(getLeases)).body).leases;
        return Object.keys(lease).sort();
      };
      expect(await members(simulated)).toEqual(await members(real));
    });
  });

  describe("keeps the contract", () => {
    dhcpContract(async () => {
      await server.clear();
      return fixtureOf(server);
    });
  });
});

function fixtureOf(server: KeaServer): DhcpFixture {
  const wall = systemClock;
  const faults = new Faults(openDatabase(":memory:"));
  const handle = faulty(overNetwork, {
    take: (operation) => faults.take("dhcp", operation),
    clock: wall,
    wall,
    refuse,
  });
  const network = new RecordedFetch((request) => fixture.intercept(async () => handle(request)));
  const { fetch } = network;
  const fixture: DhcpFixture = {
    ...asKea(server, { url: server.url, wall, timeout: 2000, fetch }),
    faults,
    intercept: (answer) => answer(),
    run: (call) => call,
    leaseOf: (mac, prefix) => server.leaseOf(mac, prefix),
    addForeign: (prefix) => server.addForeign(prefix),
    restart: () => server.restart(),
    ledger: () => server.ledger(),
  };
  return fixture;
}

/** By a connection of its own: a restart ends those that are kept. */
async function overNetwork(request: Request): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set("connection", "close");
  const { method, url, signal } = request;
  return fetch(url, { method, headers, signal, body: await request.text() });
}
