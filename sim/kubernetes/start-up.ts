import type { ResourceKind } from "./object.ts";
import { KubeError, serviceUnavailable } from "./status.ts";

/**
 * What an API server still lacks after it has opened its port, in the order in which it gets them: the
 * rights of its users, so it refuses requests that it will allow later; the paths of custom kinds; the
 * objects that it answers lists and watches from.
 */
const lacks = ["rights", "paths", "objects"] as const;
export type Lack = (typeof lacks)[number];

/** What a server lacks whose port has been open for `age`, if it takes `lasts` until it has everything. */
export function lackAt(age: number, lasts: number): Lack | undefined {
  return age < lasts ? lacks[Math.floor((age / lasts) * lacks.length)] : undefined;
}

/** The kinds whose paths a server already has. */
export const installedKinds = (kinds: ResourceKind[], lack: Lack | undefined): ResourceKind[] =>
  lack === "paths" ? kinds.filter(({ builtIn }) => builtIn) : kinds;

/** The answer in place of 404 while the path may still come. */
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
