import type { Hono } from "hono";
import type { Clock } from "../../core/clock.ts";
import type { FirmwareFault } from "./firmware.ts";
import type { DriveFault } from "./hardware.ts";
import type { Machine } from "./machine.ts";
import type { Profile } from "./profile.ts";
import type { Resources } from "./resources.ts";

/** The shared parts of a controller's service. */
export interface Served {
  app: Hono;
  profile: Profile;
  paths: Resources["paths"];
  /** The current machine, and its resources. */
  now(): Machine;
  resources(): Resources;
  put(machine: Machine): void;
  /** Serves the resource at this path. */
  get(path: string, read: (of: Resources) => object, allow?: string): void;
  clock: Clock;
  newId(): string;
  failure(machine: Machine): string | undefined;
  erasureFault(machine: Machine): DriveFault | undefined;
  firmwareFault(machine: Machine): FirmwareFault | undefined;
}
