import { accessSync, constants, mkdirSync } from "node:fs";
import { resolve } from "node:path";

/** Settings from the environment: absent and empty are the same. Each throws what would be right. */

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

/** The first of them when it is not set. */
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

/** The data folder, made when it is not there yet. */
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
