import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Which Slipway a command asks, and as whom. */
export interface Endpoint {
  url: string;
  token: string;
}

export type Environment = Record<string, string | undefined>;

/** Part of the usage of every command that calls Slipway. */
export const endpointUsage = `--url and --token (an administrator's) may come from SLIPWAY_URL and SLIPWAY_TOKEN; without all of
them the Slipway of this laptop is meant, which wrote dev.json into SLIPWAY_DATA (.local)`;

/**
 * The endpoint from the options, the environment, or this laptop's Slipway. Undefined without any.
 */
export function endpointOf(
  given: { url?: string | undefined; token?: string | undefined },
  env: Environment,
): Endpoint | undefined {
  const { url = env.SLIPWAY_URL, token = env.SLIPWAY_TOKEN } = given;
  if (url === undefined && token === undefined) return laptopEndpoints(env).laptop;
  return url !== undefined && token !== undefined && URL.canParse(url) ? { url, token } : undefined;
}

/**
 * This laptop's Slipway, if one has run: `laptop` as the administrator, `laptop:<name>` as each person who has a
 * token in dev.json.
 */
export function laptopEndpoints(env: Environment): Record<string, Endpoint> {
  const file = join(env.SLIPWAY_DATA || ".local", "dev.json");
  try {
    const { api: url, tokens } = JSON.parse(readFileSync(file, "utf8"));
    const named = Object.entries<string>(tokens).map(
      ([name, token]) => [`laptop:${name}`, { url, token }] as const,
    );
    return Object.fromEntries([["laptop", { url, token: tokens.admin }], ...named]);
  } catch {
    return {};
  }
}
