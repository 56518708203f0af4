import { RedfishServer } from "../../core/ports/bare-metal/redfish/redfish.ts";
import type { BareMetalServer } from "../../core/ports/bare-metal/server.ts";
import { profiles, type VendorName } from "../../sim/bmc/profiles.ts";
import { hostId, type NewHost } from "../../sim/host.ts";
import type { World } from "../../sim/world.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** A server of this name, whose number tells it and its cables from others. */
export function newServer(name: string, number: number, vendor: VendorName = "dell"): NewHost {
  const nic = (of: number) => ({
    name: `eno${of}`,
    mac: `52:54:00:fe:${number.toString(16).padStart(2, "0")}:0${of}`,
    switch: `leaf-a${of}`,
    port: `Ethernet2/${number}`,
  });
  const system = `192.168.200.${number}/redfish/v1/Systems/${profiles[vendor].system}`;
  return {
    name,
    hub: "hub-a",
    host_type: "fc430",
    bmc: { address: `redfish-virtualmedia://${system}` },
    nics: [nic(1), nic(2)],
    server: { vendor },
  };
}

/** The adapter on the controller of a server in a world. */
export function controllerOf(world: World, clock: VirtualClock, host: NewHost): BareMetalServer {
  return new RedfishServer({
    address: host.bmc.address,
    credential: async () => host.server?.credential ?? world.bmcs.credential,
    authentication: "basic",
    wall: clock,
    timeout: 10_000,
    fetch: world.fetch,
  });
}

/** The machine of a host, as its controller sees it. */
export const machineOf = (world: World, { name }: NewHost) => world.bmcs.machines.get(hostId(name));
