import { createHash } from "node:crypto";
import { hours, minutes, seconds } from "../../core/clock.ts";
import type { ErasureMethod } from "../../core/ports/bare-metal/erasure.ts";

/** What is in a server. */
export interface MachineHardware {
  /** The processors, and the cores of all of them together. */
  cpus: number;
  cores: number;
  /** Bytes. */
  memory: number;
  gpus: { model: string; count: number }[];
}

export interface MachineDrive {
  /** By which its controller knows it. */
  id: string;
  name: string;
  serial: string;
  model: string;
  protocol: "NVMe" | "SATA" | "SAS";
  media: "SSD" | "HDD";
  bytes: number;
  /** How it can be erased, whatever its controller knows of that. */
  methods: readonly ErasureMethod[];
  /** Who wrote on it last; absent when it is blank. */
  written?: string;
  /** How long its erasure takes, in milliseconds; as its method does unless told. */
  takes?: number;
  /** Its last erasure has failed. */
  ailing?: true;
  /** What goes wrong when it is to be erased. */
  fault?: DriveFault;
}

/** The World Wide Name of a SAS drive, in lower case; other drives have none here. */
export const wwnOf = ({ protocol, serial }: MachineDrive): string | undefined =>
  protocol === "SAS"
    ? `5000c5${createHash("sha256").update(serial).digest("hex").slice(0, 10)}`
    : undefined;

/** The drive refuses; its erasure fails at the end; its erasure ends well, and nothing is erased. */
export const driveFaults = ["refuses", "fails", "lies"] as const;
export type DriveFault = (typeof driveFaults)[number];

/** How long an erasure takes. */
export const erasureTakes: Record<ErasureMethod, number> = {
  cryptographic: seconds(20),
  block: minutes(3),
  overwrite: hours(6),
  unspecified: minutes(2),
};

const gib = 2 ** 30;

export const usualHardware: MachineHardware = { cpus: 2, cores: 64, memory: 512 * gib, gpus: [] };

/** The drives of a server of which nothing else is said. */
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
