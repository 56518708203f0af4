import type { MachineHardware } from "../../sim/bmc/hardware.ts";
import { profiles, vendorNames } from "../../sim/bmc/profiles.ts";
import type { NewHost } from "../../sim/host.ts";

/** Whole servers for tenants, powered off at first. */

/** The number of servers of each sort. */
export interface ServerCounts {
  plain: number;
  /** Servers with DPUs, one before each of the first NICs. */
  withDpus: number;
  /** The DPUs of each; two by default. */
  dpus?: number;
  /** The number of hubs of the first site that have them; all by default. */
  hubs?: number;
}

/** The sorts differ in host type and in hardware, by which instance types select them. */
export const sorts = {
  plain: { hostType: "metal", cores: 64, hasDpus: false },
  withDpus: { hostType: "metal-dpu", cores: 128, hasDpus: true },
} as const;
export type Sort = keyof typeof sorts;

/** The NICs of each server. */
export const nics = 2;
export const portNames: readonly string[] = Array.from({ length: nics }, (_, n) => `eno${n + 1}`);
const memory = 512 * 2 ** 30;

/** The servers of a hub; `number` is the hub's, from 0, and makes its addresses unique. */
export function serversAt(hub: string, number: number, counts: ServerCounts): NewHost[] {
  const { plain, withDpus, dpus = nics } = counts;
  const suffix = hub.replace("hub-", "");
  const all = [
    ...Array.from({ length: plain }, () => "plain" as const),
    ...Array.from({ length: withDpus }, () => "withDpus" as const),
  ];
  return all.map((sort, index) => {
    const { hostType, cores } = sorts[sort];
    const vendor = vendorNames[index % vendorNames.length] ?? "dell";
    const name = `${hostType}-${suffix}-${index + 1}`;
    const hardware: MachineHardware = { cpus: 2, cores, memory, gpus: [] };
    const ports = portNames.map((port, n) => ({
      name: port,
      mac: `52:54:${byte(index >> 8)}:${byte(number + 64)}:${byte(index & 255)}:${byte(n + 1)}`,
      switch: `metal-${suffix}${n + 1}`,
      port: `Ethernet1/${index + 1}`,
    }));
    return {
      ...{ name, hub, host_type: hostType, nics: ports },
      bmc: {
        address: `redfish-virtualmedia://${name}.bmc/redfish/v1/Systems/${profiles[vendor].system}`,
      },
      server: { vendor, hardware },
      ...(sort === "withDpus" && {
        dpus: ports.slice(0, dpus).map(({ mac }, n) => ({
          name: `${name}-dpu-${n + 1}`,
          serial: `MT-${suffix}-${index + 1}-${n + 1}`,
          bmc: { address: `redfish://${name}-dpu-${n + 1}.bmc/redfish/v1/Systems/Bluefield` },
          ports: [{ name: "pf0hpf", mac }],
        })),
      }),
    };
  });
}

const byte = (number: number): string => number.toString(16).padStart(2, "0");
