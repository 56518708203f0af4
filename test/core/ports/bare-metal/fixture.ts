import { minutes } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import type { FirmwareVersions } from "../../../../core/ports/bare-metal/firmware.ts";
import type {
  BareMetalServer,
  BootSource,
  Drive,
  ServerHardware,
} from "../../../../core/ports/bare-metal/server.ts";
import type { DriveFault } from "../../../../sim/bmc/hardware.ts";
import type { Booted } from "../../../../sim/bmc/machine.ts";
import type { Faults } from "../../../../sim/faults.ts";

/** A simulated server that a test has for itself; it is switched off, and its disk can be booted. */
export interface BareMetalFixture {
  server: BareMetalServer;
  /** The same server, asked with wrong credentials. */
  stranger: BareMetalServer;
  faults: Faults;
  /** The method and path of what changes the power. */
  power: string;
  /** Never to be seen in an error. */
  secrets: string[];
  /** What a call gives, while time passes as far as it needs. */
  run<T>(call: Promise<T>): Promise<T>;
  /** Lets simulated time pass, in milliseconds. */
  pass(ms: number): Promise<void>;
  /** What the server has booted since it was last switched on. */
  booted(): Booted | undefined;
  /** How often the server was switched on. */
  starts(): number;
  macs: string[];
  /** What it can be told to boot from. */
  sources: BootSource["from"][];
  /** Whether a boot from the virtual drive is one boot alone, and not each while an image is in the drive. */
  bootsOnce: boolean;
  /** The URL by which the drive's image is known: that of a copy, where the service makes one. */
  shown(image: string): string;
}

/**
 * A server whose service erases its drives one by one. The first can be erased, the last cannot, and
 * `tenant-1` has written on each.
 */
export interface DrivesFixture extends BareMetalFixture {
  server: BareMetalServer & Required<Pick<BareMetalServer, "drives" | "hardware">>;
  /** Its drives and hardware, as they are told of. */
  drives: Omit<Drive, "id">[];
  hardware: ServerHardware;
  /** Who wrote last on the drive with this serial number; undefined when it is blank. */
  written(serial?: string): string | undefined;
  /** Has this go wrong when the drive is to be erased. */
  setFault(serial: string | undefined, fault: DriveFault | "none"): void;
  /** Whether an erasure waits for the server's next start. */
  beginsAtStart: boolean;
  /** Whether an erasure that goes on can be told from others by its task. */
  namesTasks: boolean;
}

/** A server whose service updates its firmware. */
export interface FirmwareFixture extends BareMetalFixture {
  server: BareMetalServer & Required<Pick<BareMetalServer, "firmware">>;
  /** What it runs at first. */
  versions: FirmwareVersions;
  /** Whether an update that goes on can be told from others by its task. */
  namesUpdates: boolean;
}

/** Longer than any of the simulated servers takes to start. */
export const start = minutes(4);

/** The ways in which the contract asks a server. */
export function asking(at: () => BareMetalFixture) {
  const observe = async (task?: string) => {
    for (let left = 20; ; left -= 1) {
      try {
        return await at().run(at().server.observe(task));
      } catch (error) {
        if (!(error instanceof AppError && error.retryable) || left === 0) throw error;
        await at().pass(2000);
      }
    }
  };
  const failure = async (call: Promise<unknown>): Promise<AppError> => {
    const thrown = await at().run(call.catch((error: unknown) => error));
    if (thrown instanceof AppError) return thrown;
    throw new Error(`no AppError: ${String(thrown)}`);
  };
  /** Asks again as a step does while the controller says that it cannot now. */
  const insisting = async (call: () => Promise<string | undefined>): Promise<void> => {
    for (let left = 20; ; left -= 1) {
      try {
        const task = await at().run(call());
        if (task !== undefined) await ended(task);
        return;
      } catch (error) {
        if (!(error instanceof AppError && error.retryable) || left === 0) throw error;
        await at().pass(10_000);
      }
    }
  };
  const ended = async (task: string): Promise<void> => {
    for (let left = 20; left > 0; left -= 1) {
      const { state } = (await observe(task)).task ?? {};
      if (state === "done") return;
      if (state === "failed") throw new Error("the task has failed");
      await at().pass(5000);
    }
    throw new Error("the task does not end");
  };
  const switchOn = async () => {
    await insisting(() => at().server.powerOn());
    await at().pass(start);
  };
  return { observe, failure, insisting, switchOn };
}
