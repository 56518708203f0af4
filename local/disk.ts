import { statfsSync } from "node:fs";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/error.ts";

/** Bytes reserved for running operations: with fewer free bytes, changes are refused and simulated time stops. */
const reserve = 8 * 1024 * 1024;
/** Milliseconds between two checks. */
const lookEvery = 500;

export interface DiskOptions {
  /** The data folder. */
  folder: string;
  wall: Clock;
  /** Reads the free bytes of a folder's disk. */
  free?: (folder: string) => number;
  /** Called when the disk becomes full, and when there is room again. */
  full(message: string): void;
  room(message: string): void;
}

export interface Disk {
  /** The error for requests that write; undefined while there is room. */
  refusal(): AppError | undefined;
  stop(): void;
}

/** Watches the disk under the data folder. Throws when it is full from the start. */
export function watchDisk(options: DiskOptions): Disk {
  const { folder, wall, free = bytesFree } = options;
  const isFull = () => free(folder) < reserve;
  const words = `the disk of ${folder} has less than ${reserve / 1024 / 1024} MB left`;
  if (isFull()) throw new Error(words);
  let full = false;
  const look = (): void => {
    const before = full;
    full = isFull();
    if (full && !before)
      options.full(`${words}: changes are refused and simulated time stops until there is room`);
    if (!full && before) options.room(`the disk of ${folder} has room again: writes continue`);
  };
  let timer = wall.after(lookEvery, tick);

  function tick(): void {
    look();
    timer = wall.after(lookEvery, tick);
  }
  return {
    refusal() {
      look();
      if (!full) return undefined;
      return new AppError(
        "Unavailable",
        "the disk is full: nothing can be stored until there is room",
      );
    },
    stop: () => timer.cancel(),
  };
}

function bytesFree(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
