import { NetboxInventory } from "../../../../../core/ports/inventory/netbox/netbox.ts";
import { NetboxApi } from "../../../../../core/ports/netbox/api.ts";
import type { NetboxOptions } from "../../../../../sim/netbox/netbox.ts";
import { netboxWorld } from "../../../../support/netbox.ts";
import type { InventoryFixture } from "../contract.ts";

/** The devices with the role of a server, in a simulated NetBox. */
export function netboxFixture(token: "v1" | "v2", options: Pick<NetboxOptions, "version"> = {}) {
  const world = netboxWorld(options);
  const { clock, faults, sim, network, rack, url } = world;
  const wrong = "nbt_WrongWrongWr.0aTz8Bq3nYv5Gk2Jd7Lm1Rs6Wx4Pc9Ef0Uh8Io";
  const adapter = (secret: string, devices = { role: "server" } as object) => {
    const http = { url, wall: clock, timeout: 10_000, fetch: network.fetch };
    const api = new NetboxApi({ ...http, token: async () => secret });
    return new NetboxInventory(api, { devices, wall: clock });
  };
  const fixture: InventoryFixture = {
    inventory: adapter(sim.tokens[token]),
    stranger: adapter(wrong),
    faults,
    secrets: [sim.tokens[token], wrong],
    run: (call) => clock.until(call),
    pass: (ms) => clock.advance(ms),
    add: (server) => String(rack.server(server)),
    rename: (id, name) => void sim.records.change("dcim.device", Number(id), { name }),
    remove: (id) => rack.remove(Number(id)),
    uncable: (id) => rack.uncable(Number(id)),
  };
  return { ...fixture, ...world, adapter };
}
