import type { ResourceKind } from "./object.ts";
import { KubeError, serviceUnavailable } from "./status.ts";

/**
 * What an API server still lacks after it has opened its port, in the order of its start-up: its users' rights (it
 * refuses permitted requests), the paths of custom kinds, and the objects for lists and watches.
 */
const lacks = ["rights", "paths", "objects"] as const;
export type Lack = (typeof lacks)[number];

/** What a server lacks when its port has been open for `age`, if its start-up takes `lasts`. */
export function lackAt(age: number, lasts: number): Lack | undefined {
  return age < lasts ? lacks[Math.floor((age / lasts) * lacks.length)] : undefined;
}

/** The kinds whose paths are available. */
export const installedKinds = (kinds: ResourceKind[], lack: Lack | undefined): ResourceKind[] =>
  lack === "paths" ? kinds.filter(({ builtIn }) => builtIn) : kinds;

/** The answer instead of 404 while the path may still become available. */
export function notInstalled(): KubeError {
  const message =
    "the request has been made before all known HTTP paths have been installed, please try again";
  return serviceUnavailable(message);
}

/** The answer in place of a list or a watch. */
export function notInitialized(): KubeError {
  const details = { retryAfterSeconds: 1 };
  return new KubeError(429, "TooManyRequests", "storage is (re)initializing", details);
}
