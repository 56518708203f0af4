import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Which Slipway a command asks, and as whom. */
export interface Endpoint {
  url: string;
  token: string;
}

export type Environment = Record<string, string | undefined>;

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
