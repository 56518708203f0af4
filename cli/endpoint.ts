import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The Slipway that a command calls, and the token for it. */
export interface ApiEndpoint {
  url: string;
  token: string;
}

export type Environment = Record<string, string | undefined>;

/**
 * This laptop's Slipway, if one has run: `laptop` is the administrator, and `laptop:<name>` each person with a
 * token in dev.json.
 */
export function laptopEndpoints(env: Environment): Record<string, ApiEndpoint> {
  const dev = devJson(env);
  if (!dev) return {};
  const { api: url, tokens } = dev;
  const named = Object.entries(tokens).map(
    ([name, token]) => [`laptop:${name}`, { url, token }] as const,
  );
  const { admin } = tokens;
  return Object.fromEntries([
    ...(admin ? [["laptop", { url, token: admin }] as const] : []),
    ...named,
  ]);
}

/** The URL of this laptop's simulated world, if any. */
export const laptopSimulation = (env: Environment): string | undefined => devJson(env)?.sim;

const dataFolder = (env: Environment): string => env.SLIPWAY_DATA || ".local";

/** The data folder of this laptop's Slipway, if it exists, even while Slipway does not run. */
export function laptopFolder(env: Environment): string | undefined {
  const folder = dataFolder(env);
  return existsSync(folder) ? folder : undefined;
}

interface DevJson {
  api: string;
  sim: string;
  tokens: Record<string, string>;
}

/** What `npm run dev` has written, if it has run. */
function devJson(env: Environment): DevJson | undefined {
  try {
    return JSON.parse(readFileSync(join(dataFolder(env), "dev.json"), "utf8"));
  } catch {
    return undefined;
  }
}
