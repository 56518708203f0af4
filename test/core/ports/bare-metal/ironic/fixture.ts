import { standalone } from "../../../../../core/ports/bare-metal/ironic/access.ts";
import { IronicApi } from "../../../../../core/ports/bare-metal/ironic/api.ts";
import { IronicServer } from "../../../../../core/ports/bare-metal/ironic/ironic.ts";
import { newMachine } from "../../../../../sim/bmc/machine.ts";
import { Machines } from "../../../../../sim/bmc/machines.ts";
import { openDatabase } from "../../../../../sim/database.ts";
import { Faults } from "../../../../../sim/faults.ts";
import { SimulatedIronic } from "../../../../../sim/ironic/ironic.ts";
import { copyOf } from "../../../../../sim/ironic/provision.ts";
import { RecordedFetch } from "../../../../support/recorded-fetch.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import type { BareMetalFixture } from "../fixture.ts";
import { startsOf } from "../starts.ts";

const url = "http://ironic.test:6385";
const id = "4c4c4544-0042-4b10-8051-b4c04f303133";
const uuid = "1be26c0b-03f2-4d2e-ae87-c02d7f33c123";
const macs = ["52:54:00:12:34:56", "52:54:00:12:34:57"];

/** A server that a simulated bare metal service manages, in virtual time. */
export function ironicFixture({ timeout = 10_000 } = {}) {
  const clock = new VirtualClock();
  const database = openDatabase(":memory:");
  const faults = new Faults(database);
  const machines = new Machines(database, clock);
  machines.put(newMachine({ id, controller: "bmc.test", vendor: "dell", serial: "CN7016", macs }));
  const sim = new SimulatedIronic({ database, machines, clock, wall: clock, faults });
  sim.enrol({ uuid, name: "rack-1-01", machine: id });
  const network = new RecordedFetch(sim.handle);
  const { username, password } = sim.credential;
  const adapter = (secret = password, node = "rack-1-01") => {
    const access = standalone(url, async () => ({ username, password: secret }));
    const api = new IronicApi({ ...access, wall: clock, timeout, fetch: network.fetch });
    return new IronicServer(api, node);
  };
  const server = adapter();
  const fixture: BareMetalFixture = {
    server,
    stranger: adapter("a-wrong-password"),
    faults,
    power: "PUT /v1/nodes/rack-1-01/states/power",
    secrets: [
      password,
      "a-wrong-password",
      Buffer.from(`${username}:${password}`).toString("base64"),
    ],
    run: (call) => clock.until(call),
    pass: (ms) => clock.advance(ms),
    booted: () => machines.get(id)?.booted,
    starts: startsOf(machines),
    macs,
    sources: ["media", "network", "disk"],
    bootsOnce: true,
    shown: (image) => copyOf({ uuid }, image),
  };
  return {
    ...{ ...fixture, server, sim, clock, network, machines, machine: id },
    serverOf: (node: string) => adapter(password, node),
  };
}
