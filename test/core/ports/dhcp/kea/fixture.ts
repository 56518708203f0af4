import type { HttpCredential } from "../../../../../core/http.ts";
import type { KeaApiOptions } from "../../../../../core/ports/dhcp/kea/api.ts";
import { Kea } from "../../../../../core/ports/dhcp/kea/kea.ts";
import { openDatabase } from "../../../../../sim/database.ts";
import { Faults } from "../../../../../sim/faults.ts";
import { SimulatedKea } from "../../../../../sim/kea/kea.ts";
import { RecordedFetch } from "../../../../support/recorded-fetch.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import type { DhcpFixture } from "../contract.ts";

/** Kea simulated in virtual time, and the adapter on it. */
export function keaFixture(hooks?: readonly string[]) {
  const clock = new VirtualClock();
  const database = openDatabase(":memory:");
  const faults = new Faults(database);
  const sim = new SimulatedKea({ database, clock, wall: clock, faults, ...(hooks && { hooks }) });
  const network = new RecordedFetch((request) => fixture.intercept(() => sim.handle(request)));
  const url = "http://kea.test:8000";
  const fixture: DhcpFixture = {
    ...asKea(sim, { url, wall: clock, timeout: 10_000, fetch: network.fetch }),
    faults,
    intercept: (answer) => answer(),
    run: (call) => clock.until(call),
    leaseOf: (mac, prefix) => sim.leaseOf(mac, prefix)?.address,
    addForeign(subnet) {
      const { config } = sim;
      const id = config.subnets.length + 1;
      const foreign = { id, subnet, pools: [], "option-data": [] };
      sim.change({ ...config, subnets: [...config.subnets, foreign] });
      sim.write();
    },
    restart: () => sim.restart(),
    ledger: () => sim.ledger(),
  };
  return Object.assign(fixture, { sim, network });
}

/** What asks a server by the adapter: as its user, and with a wrong password. */
export function asKea(
  { username, password }: HttpCredential,
  options: Omit<KeaApiOptions, "credential">,
): Pick<DhcpFixture, "dhcp" | "stranger" | "secrets"> {
  const wrong = "a-wrong-password";
  const adapter = (given: string) =>
    new Kea({ ...options, credential: async () => ({ username, password: given }) });
  return { dhcp: adapter(password), stranger: adapter(wrong), secrets: [password, wrong] };
}
