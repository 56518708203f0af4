import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type ApiEndpoint, type Environment, laptopEndpoints, laptopFolder } from "./endpoint.ts";
import { CliFailure, exits, wrongCall } from "./exit.ts";

/** How a token was obtained, and how it is renewed. */
export interface Login {
  /** The issuer's URL for new tokens. */
  exchange: string;
  /** The issuer's URL for revoking tokens, if it has one. */
  revoke?: string;
  client: string;
  /** The refresh token. */
  refresh: string;
}

/** An endpoint, with the login by which its token was obtained, if any. */
export interface StoredEndpoint extends ApiEndpoint {
  login?: Login;
}

/** The Slipway servers of a person, by name, in a file that only this person can read. */
export interface Contexts {
  current?: string;
  contexts: Record<string, StoredEndpoint>;
}

/** The endpoint of a command, and the name of its context, if it has one. */
export interface Chosen {
  endpoint: StoredEndpoint;
  name?: string;
}

/** The options that select the endpoint. */
export interface ContextChoice {
  url?: string;
  token?: string;
  context?: string;
}

function contextsFile(env: Environment): string {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config");
  return env.SLIPWAY_CONFIG || join(folder, "slipway", "contexts.json");
}

/** The contexts of the file and of this laptop's Slipway. Throws when the file is damaged. */
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

/** Writes a second file and renames it, so that readers never see half of it. */
export function storeContexts(env: Environment, contexts: Contexts): void {
  const file = contextsFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

/**
 * The endpoint of a command: from its options, the environment, the current context, or the laptop's Slipway.
 * Throws when there is none.
 */
export function chosenEndpoint(choice: ContextChoice, env: Environment): Chosen {
  const { url = env.SLIPWAY_URL, token = env.SLIPWAY_TOKEN } = choice;
  const wanted = choice.context ?? env.SLIPWAY_CONTEXT;
  if (wanted === undefined && url !== undefined && token !== undefined)
    return { endpoint: { url: checkedUrl(url), token } };
  const { current = "laptop", contexts } = contextsIn(env);
  const known = contexts[wanted ?? current];
  // A token is sent only to the Slipway that it belongs to.
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

/** Throws for a file that this CLI has not written. */
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
