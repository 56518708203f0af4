import type { NewHost } from "./host.ts";
import type { NewHub } from "./hub.ts";
import type { World } from "./world.ts";

/**
 * The first content of the world: 2 hubs in 2 regions, 24 hosts of 2 types on 4 switches, a DNS zone, a
 * storage pool.
 */

const seedHubs: NewHub[] = [
  { id: "hub-a", region: "eu-west" },
  { id: "hub-b", region: "us-east" },
];

export const seedZone = "example.com";
export const seedPool = "volumes";

export const seedHostTypes = ["fc430", "h100"];

const hostsOfEachType = 6;

/** Each host has one NIC on each of the two switches of its hub. */
const seedHosts: NewHost[] = seedHubs.flatMap(({ id: hub }, hubIndex) =>
  seedHostTypes.flatMap((type, typeIndex) =>
    Array.from({ length: hostsOfEachType }, (_, index): NewHost => {
      const port = typeIndex * hostsOfEachType + index + 1;
      const suffix = hub.replace("hub-", "");
      const nic = (number: number) => ({
        name: `eno${number}`,
        mac: `52:54:00:${hexByte(hubIndex)}:${hexByte(port)}:${hexByte(number)}`,
        switch: `leaf-${suffix}${number}`,
        port: `Ethernet1/${port}`,
      });
      return {
        name: `${type}-${suffix}-${String(index + 1).padStart(2, "0")}`,
        hub,
        host_type: type,
        bmc: {
          address: `redfish-virtualmedia://192.168.${hubIndex + 1}.${port + 10}/redfish/v1/Systems/1`,
        },
        nics: [nic(1), nic(2)],
        discovered: true,
      };
    }),
  ),
);

/** Adds missing objects: a seeding that was cut short is finished, a complete one is left unchanged. */
export async function seedWorld(world: World): Promise<void> {
  for (const hub of seedHubs) {
    if (!world.hubs().some(({ id }) => id === hub.id)) await world.addHub(hub);
  }
  const present = new Set(world.hosts().map(({ name }) => name));
  for (const host of seedHosts) if (!present.has(host.name)) world.addHost(host);
  world.site.dns.addZone(seedZone);
  world.site.storage.addPool(seedPool);
}

function hexByte(number: number): string {
  return number.toString(16).padStart(2, "0");
}
