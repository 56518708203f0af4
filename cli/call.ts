import type { Command } from "commander";
import { answerOf } from "./answer-of.ts";
import { areaFor } from "./api/area.ts";
import type { CommandArea } from "./api/operations.ts";
import type { Around } from "./around.ts";
import { Client } from "./client.ts";
import { type ContextChoice, chosenEndpoint } from "./contexts.ts";
import { type Exit, wrongCall } from "./exit.ts";
import { fileText } from "./generic/body.ts";
import type { Api } from "./private-api.ts";

/** A command as it was called. */

/** Options of every command. */
export interface SharedOptions extends ContextChoice {
  as?: string;
  /** A file with the token, or `-`: options are visible to others. */
  tokenFile?: string;
}

export interface CliCall<Options extends object = object> {
  /** The arguments that are not options. */
  words: string[];
  options: Options & SharedOptions;
  around: Around;
}

/** The options with the token from the file that they name. */
export function withToken(
  options: SharedOptions & { tokenFile: string },
  around: Around,
): SharedOptions {
  const { tokenFile } = options;
  const token = fileText(around, tokenFile).trim();
  if (token === "") throw wrongCall(`--token-file ${tokenFile}: there is no token in it`);
  return { ...options, token };
}

/** Does the work of a command; undefined means success. */
export type Work<Options extends object> = (call: CliCall<Options>) => Promise<Exit | undefined>;

/** The work of a command, whose code is imported when the command is called. */
export type Act = <Options extends object>(
  command: Command,
  work: () => Promise<Work<Options>>,
) => void;

export interface CliConnection {
  client: Client;
  area: CommandArea;
}

/** Throws when no Slipway server is configured, or there is no token for it. */
export function connect(call: CliCall): CliConnection {
  const { endpoint, renew } = chosen(call);
  const { around, options } = call;
  return { client: new Client(endpoint, around, renew), area: areaFor(options.as, endpoint.token) };
}

/** The private API, for commands that send it many objects. Throws as `connect` does. */
export function provider(call: CliCall): Api {
  const { endpoint, renew } = chosen(call);
  let { token } = endpoint;
  const send = (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    return answerOf(call.around, url, { ...init, headers });
  };
  const fetch = async (url: string, init: RequestInit) => {
    const response = await send(url, init);
    const next = response.status === 401 ? await renew(token) : undefined;
    if (next === undefined) return response;
    token = next;
    return send(url, init);
  };
  return { url: endpoint.url, token, fetch };
}

/** The endpoint of a call, and how a refused token is renewed, if possible. */
function chosen({ options, around }: CliCall) {
  const { endpoint, name } = chosenEndpoint(options, around.env);
  const renew = async (refused: string) => {
    if (name === undefined || endpoint.login === undefined) return undefined;
    return (await import("./login.ts")).renewedLogin(around, { name, refused });
  };
  return { endpoint, renew };
}
