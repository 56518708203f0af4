import { createHash } from "node:crypto";
import { hours, minutes, seconds } from "../../core/clock.ts";
import type { ErasureMethod } from "../../core/ports/bare-metal/erasure.ts";

/** The hardware of a server. */
export interface MachineHardware {
  /** The processors, and the cores of all of them together. */
  cpus: number;
  cores: number;
  /** The memory in bytes. */
  memory: number;
  gpus: { model: string; count: number }[];
}

export interface MachineDrive {
  /** The controller's id of the drive. */
  id: string;
  name: string;
  serial: string;
  model: string;
  protocol: "NVMe" | "SATA" | "SAS";
  media: "SSD" | "HDD";
  bytes: number;
  /** The methods of erasure, whether or not the controller knows them. */
  methods: readonly ErasureMethod[];
  /** The last writer of the drive; absent for a blank drive. */
  written?: string;
  /** The duration of its erasure, in milliseconds; by default that of its method. */
  takes?: number;
  /** Whether the drive's last erasure failed. */
  ailing?: true;
  /** The fault of its erasure. */
  fault?: DriveFault;
}

/** The World Wide Name of a SAS drive, in lower case; other drives have none here. */
export const wwnOf = ({ protocol, serial }: MachineDrive): string | undefined =>
  protocol === "SAS"
    ? `5000c5${createHash("sha256").update(serial).digest("hex").slice(0, 10)}`
    : undefined;

/**
 * Faults of an erasure: `refuses`: the drive refuses it; `fails`: it fails at the end; `lies`: it succeeds without
 * erasing.
 */
export const driveFaults = ["refuses", "fails", "lies"] as const;
export type DriveFault = (typeof driveFaults)[number];

/** The duration of an erasure by its method. */
export const erasureTakes: Record<ErasureMethod, number> = {
  cryptographic: seconds(20),
  block: minutes(3),
  overwrite: hours(6),
  unspecified: minutes(2),
};

const gib = 2 ** 30;

export const usualHardware: MachineHardware = { cpus: 2, cores: 64, memory: 512 * gib, gpus: [] };

/** The drives of a server by default. */
export const usualDrives = (serial: string): MachineDrive[] =>
  [0, 1].map((bay) => ({
    id: `Disk.Bay.${bay}`,
    name: `Drive in bay ${bay}`,
    serial: `${serial}-D${bay}`,
    model: "PM1743",
    protocol: "NVMe",
    media: "SSD",
    bytes: 1_920_383_410_176,
    methods: ["cryptographic", "block"],
  }));
