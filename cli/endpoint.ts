import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** Which Slipway a command asks, and as whom. */
export interface Endpoint {
  url: string;
  token: string;
}

export type Environment = Record<string, string | undefined>;

/** Part of the usage of every command that calls Slipway. */
export const endpointUsage = `--url and --token (an administrator's) may come from SLIPWAY_URL and SLIPWAY_TOKEN; without all of
them the Slipway of this laptop is meant, which wrote dev.json into SLIPWAY_DATA (.local)`;

const devSchema = z.looseObject({ api: z.string(), tokens: z.looseObject({ admin: z.string() }) });

/**
 * The endpoint from the options, the environment, or this laptop's Slipway. Undefined without any.
 */
export function endpointOf(
  given: { url?: string | undefined; token?: string | undefined },
  env: Environment,
): Endpoint | undefined {
  const { url = env.SLIPWAY_URL, token = env.SLIPWAY_TOKEN } = given;
  if (url === undefined && token === undefined) return localEndpoint(env.SLIPWAY_DATA || ".local");
  return url !== undefined && token !== undefined && URL.canParse(url) ? { url, token } : undefined;
}

/** This laptop's Slipway, if one has run. */
function localEndpoint(data: string): Endpoint | undefined {
  try {
    const { api, tokens } = devSchema.parse(
      JSON.parse(readFileSync(join(data, "dev.json"), "utf8")),
    );
    return { url: api, token: tokens.admin };
  } catch {
    return undefined;
  }
}
