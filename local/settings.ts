import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { WatchLimits } from "../core/kernel/events/watch-slots.ts";
import type { RateLimits } from "../functions/api/rate-limits.ts";
import { type IssuerOptions, issuersSchema } from "../functions/identity/issuers.ts";

/**
 * Settings from the environment; an empty variable counts as absent. Each function throws an error that says what is
 * permitted.
 */

export function wholeNumber(
  name: string,
  { otherwise, least, most }: { otherwise: number; least: number; most: number },
): number {
  const text = process.env[name];
  if (!text) return otherwise;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not '${text}'`);
}

/** One of these values; the first is the default. */
export function oneOf<Value extends string>(name: string, values: readonly [Value, ...Value[]]) {
  const text = process.env[name];
  if (!text) return values[0];
  const value = values.find((one) => one === text);
  if (value !== undefined) return value;
  throw new Error(`${name} must be ${values.join(" or ")}, not '${text}'`);
}

/** Simulated seconds per second. */
export const simSpeed = (): number =>
  wholeNumber("SLIPWAY_SIM_SPEED", { otherwise: 60, least: 1, most: 100_000 });

/**
 * The time limit of a worker's run, in milliseconds of real time. Short by default, since all systems are on this
 * machine; a killed run continues with the next.
 */
export const workerTimeout = (): number =>
  1000 * wholeNumber("SLIPWAY_WORKER_SECONDS", { otherwise: 10, least: 10, most: 900 });

/** Requests a second; the limits are generous, since there is only one process and its tests send many requests. */
export function rateLimits(): RateLimits {
  const rate = (name: string, otherwise: number) =>
    wholeNumber(`SLIPWAY_${name}_RATE`, { otherwise, least: 0, most: 100_000 });
  return { tenant: rate("TENANT", 400), user: rate("USER", 200), watch: rate("WATCH", 20) };
}

/** The most watches at a time; equally generous. */
export function watchLimits(): WatchLimits {
  const limit = (name: string, otherwise: number) =>
    wholeNumber(name, { otherwise, least: 1, most: 10_000 });
  return {
    everybody: limit("WATCHES", 200),
    tenant: limit("TENANT_WATCHES", 100),
    user: limit("USER_WATCHES", 20),
  };
}

/** Origins from which browsers may call the API: any by default, as at OSAC's gateway. */
export const apiOrigins = (): string[] => (process.env.API_ORIGINS || "*").split(",");

/** Issuers beside the laptop's own: a JSON file in the form of a stage's `api.issuers`. */
export function otherIssuers(): IssuerOptions[] {
  const file = process.env.SLIPWAY_ISSUERS;
  if (!file) return [];
  const refused = (why: string, cause?: unknown) =>
    new Error(`SLIPWAY_ISSUERS must be a JSON file of issuers: ${file}: ${why}`, { cause });
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw refused(String(error), error);
  }
  const { data, error } = issuersSchema.safeParse(json);
  if (data) return data;
  throw refused(
    error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
  );
}

/** The data folder, created if it does not exist. */
export function dataFolder(): string {
  const folder = resolve(process.env.SLIPWAY_DATA || ".local");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`SLIPWAY_DATA must be a folder that can be written to, not '${folder}'`, {
      cause: error,
    });
  }
  return folder;
}
