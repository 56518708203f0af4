import { profiles, vendorNames } from "./bmc/profiles.ts";
import type { NewHost } from "./host.ts";
import type { NewHub } from "./hub-options.ts";
import type { World } from "./world.ts";

/**
 * The first content of the world: 2 hubs in 2 regions, 24 hosts of 2 types on 4 switches, a DNS zone, a storage pool.
 */

/** The state of its hosts: discovered already, powered off, or two racks of powered-off servers with DPUs. */
export const worldServers = ["on", "off", "dpus"] as const;
export type WorldServers = (typeof worldServers)[number];

const seedHubs: NewHub[] = [
  { id: "hub-a", region: "eu-west" },
  { id: "hub-b", region: "us-east" },
];

export const seedZone = "example.com";
export const seedPool = "volumes";

export const seedHostTypes = ["fc430", "h100"];

const hostsOfEachType = 6;

/**
 * The hosts of a hub, by type and number. Each has one NIC on each of its hub's two switches. `number` is the hub's,
 * from 0, and makes its MAC addresses unique.
 */
export function hostsAt(
  hub: string,
  number: number,
  counts: Readonly<Record<string, number>>,
): NewHost[] {
  const suffix = hub.replace("hub-", "");
  const types = seedHostTypes.flatMap((type) =>
    Array.from({ length: counts[type] ?? 0 }, (_, index) => ({ type, index })),
  );
  return types.map(({ type, index }, before) => {
    const port = before + 1;
    const nic = (of: number) => ({
      name: `eno${of}`,
      mac: `52:54:00:${hexByte(number)}:${hexByte(port)}:${hexByte(of)}`,
      switch: `leaf-${suffix}${of}`,
      port: `Ethernet1/${port}`,
    });
    return {
      name: `${type}-${suffix}-${String(index + 1).padStart(2, "0")}`,
      hub,
      host_type: type,
      bmc: {
        address: `redfish-virtualmedia://192.168.${number + 1}.${port + 10}/redfish/v1/Systems/1`,
      },
      nics: [nic(1), nic(2)],
      discovered: true,
    };
  });
}

const seedHosts = seedHubs.flatMap(({ id }, number) =>
  hostsAt(id, number, { fc430: hostsOfEachType, h100: hostsOfEachType }),
);

/** The hosts as powered-off servers, with the controllers of all vendors in turn. */
export const switchedOff = (hosts: readonly NewHost[]): NewHost[] =>
  hosts.map(({ discovered: _, ...host }, index) => {
    const vendor = vendorNames[index % vendorNames.length] ?? "dell";
    const address = host.bmc.address.replace(/[^/]+$/, profiles[vendor].system);
    return { ...host, bmc: { address }, server: { vendor } };
  });

/** The servers with a DPU before each NIC. `rack` makes the DPUs' controllers unique. */
const withDpus = (servers: readonly NewHost[], rack: number): NewHost[] =>
  servers.map((server, index) => ({
    ...server,
    dpus: server.nics.map(({ mac }, n) => ({
      name: `${server.name}-dpu-${n + 1}`,
      serial: `MT2334X${hexByte(rack)}${hexByte(index + 1)}${n + 1}`,
      bmc: {
        address: `redfish://192.168.${100 + rack}.${(index + 1) * 10 + n}/redfish/v1/Systems/Bluefield`,
      },
      ports: [{ name: "pf0hpf", mac }],
    })),
  }));

const racks = seedHubs.flatMap(({ id }, number) =>
  withDpus(switchedOff(hostsAt(id, number, { fc430: hostsOfEachType })), number),
);

const hostsOf = {
  on: seedHosts,
  off: switchedOff(seedHosts),
  dpus: racks,
} satisfies Record<WorldServers, NewHost[]>;

/** Creates missing objects only: finishes an interrupted seeding, and does not change a complete one. */
export async function seedWorld(world: World, servers: WorldServers = "on"): Promise<void> {
  for (const hub of seedHubs) {
    if (!world.hubs().some(({ id }) => id === hub.id)) await world.addHub(hub);
  }
  const present = new Set(world.hosts().map(({ name }) => name));
  for (const host of hostsOf[servers]) if (!present.has(host.name)) world.addHost(host);
  world.site.dns.addZone(seedZone);
  world.site.storage.addPool(seedPool);
}

function hexByte(number: number): string {
  return number.toString(16).padStart(2, "0");
}
