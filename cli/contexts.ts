import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type ApiEndpoint, type Environment, laptopEndpoints, laptopFolder } from "./endpoint.ts";
import { CliFailure, exits, wrongCall } from "./exit.ts";

/** How a token came to be: what gets the next one. */
export interface Login {
  /** The address of the issuer where a new token is got. */
  exchange: string;
  /** Where it takes tokens back, if it does. */
  revoke?: string;
  client: string;
  /** The token for the next token. */
  refresh: string;
}

/** An endpoint with how its token came to be, if by a login. */
export interface StoredEndpoint extends ApiEndpoint {
  login?: Login;
}

/** The Slipways that a person uses, by name, in a file that only this person reads. */
export interface Contexts {
  current?: string;
  contexts: Record<string, StoredEndpoint>;
}

/** What a command asks; with a name, a context of the file. */
export interface Chosen {
  endpoint: StoredEndpoint;
  name?: string;
}

/** Which of them a command means. */
export interface ContextChoice {
  url?: string;
  token?: string;
  context?: string;
}

function contextsFile(env: Environment): string {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config");
  return env.SLIPWAY_CONFIG || join(folder, "slipway", "contexts.json");
}

/** Those of the file and those of this laptop's Slipway. Throws when the file is damaged. */
export function contextsIn(env: Environment): Contexts {
  const { current, contexts } = storedContexts(env);
  return { ...(current && { current }), contexts: { ...laptopEndpoints(env), ...contexts } };
}

export function storedContexts(env: Environment): Contexts {
  const file = contextsFile(env);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return { contexts: {} };
  }
  try {
    return contextsOf(JSON.parse(text));
  } catch {
    throw wrongCall(`${file} is not what slipway context has written`);
  }
}

/** Writes a second file and renames it, so that nobody reads half of it. */
export function storeContexts(env: Environment, contexts: Contexts): void {
  const file = contextsFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

/**
 * The Slipway that a command asks: as the options say, the environment, the context in use, or the
 * laptop's. Throws when that is none.
 */
export function chosenEndpoint(choice: ContextChoice, env: Environment): Chosen {
  const { url = env.SLIPWAY_URL, token = env.SLIPWAY_TOKEN } = choice;
  const wanted = choice.context ?? env.SLIPWAY_CONTEXT;
  if (wanted === undefined && url !== undefined && token !== undefined)
    return { endpoint: { url: checkedUrl(url), token } };
  const { current = "laptop", contexts } = contextsIn(env);
  const known = contexts[wanted ?? current];
  // A token goes to its own Slipway only.
  if (known && (url === undefined || token !== undefined || checkedUrl(url) === known.url))
    return token === undefined
      ? { endpoint: known, name: wanted ?? current }
      : { endpoint: { url: checkedUrl(url ?? known.url), token } };
  const names = Object.keys(contexts);
  const next =
    names.length > 0
      ? `contexts are: ${names.join(", ")}`
      : "give --url and --token-file, or SLIPWAY_URL and SLIPWAY_TOKEN, or add one with slipway context set";
  const folder = laptopFolder(env);
  if (wanted !== undefined && !known) throw wrongCall(`there is no context '${wanted}'`, next);
  const lacks =
    url === undefined ? "no Slipway server is configured" : "there is no token for this Slipway";
  const isAwaited = url === undefined && names.length === 0 && folder !== undefined;
  throw new CliFailure(url === undefined ? exits.usage : exits.loggedOut, lacks, {
    details: [
      ...(isAwaited
        ? [`npm run dev is not up yet in ${folder}: wait for its line 'slipway ready'`]
        : []),
      next,
    ],
  });
}

function checkedUrl(url: string): string {
  if (!URL.canParse(url)) throw wrongCall(`'${url}' is not a URL`);
  return url.replace(/\/+$/, "");
}

/** Throws for what this command has not written. */
function contextsOf(stored: unknown): Contexts {
  if (!isRecord(stored) || !isRecord(stored.contexts)) throw new Error("no contexts");
  const contexts = Object.entries(stored.contexts).map(([name, each]) => {
    if (!isRecord(each) || typeof each.url !== "string" || typeof each.token !== "string")
      throw new Error("no endpoint");
    const { url, token, login } = each;
    return [name, { url, token, ...(isLogin(login) && { login }) }] as const;
  });
  const { current } = stored;
  return {
    ...(typeof current === "string" && { current }),
    contexts: Object.fromEntries(contexts),
  };
}

const isLogin = (value: unknown): value is Login =>
  isRecord(value) &&
  ["exchange", "client", "refresh"].every((member) => typeof value[member] === "string") &&
  ["string", "undefined"].includes(typeof value.revoke);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
