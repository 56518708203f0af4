import type { Command } from "commander";
import { areaFor } from "./api/area.ts";
import type { Area } from "./api/operations.ts";
import type { Around } from "./around.ts";
import { Client } from "./client.ts";
import { type Choice, chosenEndpoint } from "./contexts.ts";
import type { Exit } from "./exit.ts";
import type { Api } from "./private-api.ts";

/** A command as somebody has called it. */

/** Options of every command. */
export interface SharedOptions extends Choice {
  as?: string;
}

export interface Call<Options extends object = object> {
  /** The arguments that are no options. */
  words: string[];
  options: Options & SharedOptions;
  around: Around;
}

/** Does a command's work. Without an answer it is done. */
export type Work<Options extends object> = (call: Call<Options>) => Promise<Exit | undefined>;

/** Gives a command its work; what the work needs is imported when it is called. */
export type Act = <Options extends object>(
  command: Command,
  work: () => Promise<Work<Options>>,
) => void;

export interface Connection {
  client: Client;
  area: Area;
}

/** Throws when no Slipway is named, or there is no token for it. */
export function connect({ options, around }: Call): Connection {
  const { endpoint, name } = chosenEndpoint(options, around.env);
  const renew = async (refused: string) => {
    if (name === undefined || endpoint.login === undefined) return undefined;
    return (await import("./login.ts")).renewed(around, { name, refused });
  };
  return { client: new Client(endpoint, around, renew), area: areaFor(options.as, endpoint.token) };
}

/** The private API, for commands that bring it many objects. Throws as `connect` does. */
export function provider({ options, around }: Call): Api {
  const { url, token } = chosenEndpoint(options, around.env).endpoint;
  return { url, token, fetch: around.fetch };
}
