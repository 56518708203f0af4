import { type MachineDrive, type MachineHardware, wwnOf } from "../bmc/hardware.ts";
import { type Machine, profileOf } from "../bmc/machine.ts";
import { gpusIn, type Host } from "../host.ts";
import type { HostNetwork } from "./agent-network.ts";
import type { Agent, Inventory } from "./objects.ts";

/**
 * The inventory in an agent's report. An agent of a server reports the hardware of its registration, since it reads the
 * hardware once per boot, and current addresses.
 */
export function inventoryOf(
  { status }: Agent,
  host: Host,
  { addresses }: HostNetwork,
  found?: Machine,
): Inventory {
  const before = host.server && !found ? status?.inventory : undefined;
  const { interfaces, ...hardware } = before ?? (found ? foundIn(host, found) : usual(host));
  return {
    ...hardware,
    interfaces: interfaces.map((nic, index) => ({
      ...nic,
      ipV4Addresses: addresses[index] ?? [],
    })),
  };
}

/** The inventory of hosts without a controller. */
function usual(host: Host): Inventory {
  return {
    ...placeOf(host),
    cpu: { count: 64, architecture: "x86_64" },
    memory: { physicalBytes: 256 * 1024 ** 3, usableBytes: 256 * 1024 ** 3 },
    disks: [{ id: "/dev/sda", name: "sda", driveType: "SSD", sizeBytes: 960_197_124_096 }],
    gpus: gpusOf(gpusIn(host)),
    interfaces: host.nics.map(({ name, mac }) => nicOf(name, mac)),
  };
}

function foundIn(host: Host, machine: Machine): Inventory {
  const { hardware, drives, macs, serial } = machine;
  const { manufacturer, model } = profileOf(machine);
  return {
    ...placeOf(host),
    cpu: { count: hardware.cores, architecture: "x86_64" },
    memory: { physicalBytes: hardware.memory, usableBytes: hardware.memory },
    disks: [...drives.map(diskOf), virtualDrive(machine)],
    gpus: gpusOf(hardware.gpus),
    interfaces: macs.map((mac, index) => nicOf(host.nics[index]?.name ?? `eno${index + 1}`, mac)),
    systemVendor: { manufacturer, productName: model, serialNumber: serial },
  };
}

const placeOf = ({ name, bmc }: Host) => ({
  hostname: name,
  bmcAddress: new URL(bmc.address).hostname,
});

/**
 * A disk as an agent reports it: of its content only whether it is bootable. A SAS drive's World Wide Name is reported
 * as its serial number.
 */
function diskOf(drive: MachineDrive, index: number) {
  const { serial, model, protocol, media, bytes, written } = drive;
  const wwn = wwnOf(drive);
  const name = protocol === "NVMe" ? `nvme${index}n1` : `sd${String.fromCharCode(97 + index)}`;
  return {
    id: `/dev/disk/by-id/${model}_${serial}`,
    name,
    path: `/dev/${name}`,
    driveType: media,
    serial: wwn ?? serial,
    ...(wwn !== undefined && { wwn: `0x${wwn}` }),
    model,
    sizeBytes: bytes,
    bootable: written !== undefined,
    installationEligibility: { eligible: true, notEligibleReasons: [] },
  };
}

/**
 * The controller's virtual drive, which the system sees as an optical drive: bootable with the discovery image in it,
 * and with the size of an empty drive without.
 */
function virtualDrive({ booted, serial }: Machine) {
  const hasImage = booted?.from === "media";
  return {
    id: "/dev/disk/by-path/pci-0000:00:14.0-usb-0:14.1:1.0-scsi-0:0:0:0",
    name: "sr0",
    path: "/dev/sr0",
    driveType: "ODD",
    serial: `VM-${serial}`,
    model: "Virtual_CD",
    sizeBytes: hasImage ? 1_212_153_856 : 1_073_741_312,
    bootable: hasImage,
    installationEligibility: {
      eligible: false,
      notEligibleReasons: [
        "Disk is removable",
        "Drive type is ODD, it must be one of HDD, SSD, Multipath.",
      ],
    },
  };
}

const gpusOf = (gpus: MachineHardware["gpus"]) =>
  gpus
    .flatMap(({ model, count }) => Array.from({ length: count }, () => model))
    .map((name, index) => ({
      name,
      vendor: "NVIDIA Corporation",
      vendorID: "10de",
      deviceID: "2330",
      address: `0000:${(0x18 + index).toString(16)}:00.0`,
    }));

const nicOf = (name: string, macAddress: string) => ({
  name,
  macAddress,
  hasCarrier: true,
  ipV4Addresses: [],
  ipV6Addresses: [],
  flags: ["up", "broadcast", "multicast"],
});
