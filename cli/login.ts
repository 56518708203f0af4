import { answerOf } from "./answer-of.ts";
import type { Around } from "./around.ts";
import type { CliCall } from "./call.ts";
import {
  contextsIn,
  type Login,
  type StoredEndpoint,
  storeContexts,
  storedContexts,
} from "./contexts.ts";
import { CliFailure, exits, wrongCall } from "./exit.ts";
import { at, list, text } from "./output/values.ts";

/** `slipway login`: by the device flow (RFC 8628), so that it also works without a browser on this computer. */

export interface LoginOptions {
  url?: string;
  /** The name of the context that stores the login. */
  name?: string;
  issuer?: string;
  client?: string;
  scope?: string;
}

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
const usualPause = 5;

export async function login({ around, options }: CliCall<LoginOptions>): Promise<undefined> {
  const { current, contexts } = contextsIn(around.env);
  const name = options.name ?? options.context ?? current ?? "default";
  const url = (options.url ?? around.env.SLIPWAY_URL ?? contexts[name]?.url)?.replace(/\/+$/, "");
  if (url === undefined || !URL.canParse(url))
    throw wrongCall("--url must be the URL of a Slipway");
  const { client = "slipway-cli", scope = "openid offline_access" } = options;
  const issuer = options.issuer ?? (await issuerOf(around, url));
  const known = await read(
    around,
    `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`,
  );
  const [begin, exchange, revoke] = [
    "device_authorization_endpoint",
    "token_endpoint",
    "revocation_endpoint",
  ].map((each) => text(at(known, each)));
  if (!begin || !exchange)
    throw new CliFailure(exits.refused, `${issuer} does not support the device flow`, {
      details: ["bring a token of it: slipway context set NAME --url URL --token-file FILE"],
    });

  const device = await post(around, begin, { client_id: client, scope });
  if (!device.ok) throw new CliFailure(exits.refused, `${issuer} refuses: ${errorIn(device.body)}`);
  const told = (member: string): string => text(at(device.body, member));
  around.err.write(`open ${told("verification_uri_complete") || told("verification_uri")}\n`);
  around.err.write(`and say that it is you, with the code ${told("user_code")}\n`);

  let pause = Number(at(device.body, "interval") ?? usualPause);
  for (;;) {
    await around.pause(pause * 1000);
    const grant = { grant_type: deviceGrant, client_id: client, device_code: told("device_code") };
    const { ok, body } = await post(around, exchange, grant);
    if (ok) {
      const endpoint = endpointIn(body, { url, exchange, client, ...(revoke && { revoke }) });
      const stored = storedContexts(around.env);
      storeContexts(around.env, {
        current: name,
        contexts: { ...stored.contexts, [name]: endpoint },
      });
      around.err.write(`logged in; the context in use is ${name}\n`);
      return undefined;
    }
    const error = errorIn(body);
    if (error === "slow_down") pause += usualPause;
    else if (error !== "authorization_pending")
      throw new CliFailure(exits.loggedOut, `not logged in: ${error}`);
  }
}

/** Removes the tokens of a context, and revokes the refresh token at the issuer. */
export async function logout({ around, options }: CliCall): Promise<undefined> {
  const { current, contexts } = storedContexts(around.env);
  const name = options.context ?? current ?? "";
  const { [name]: removed, ...rest } = contexts;
  if (!removed) throw wrongCall("not logged in");
  storeContexts(around.env, { contexts: rest });
  around.err.write(`${name} is forgotten\n`);
  const { revoke, client, refresh } = removed.login ?? {};
  if (revoke === undefined || client === undefined || refresh === undefined) return undefined;
  const form = { client_id: client, token: refresh, token_type_hint: "refresh_token" };
  const { ok, body } = await post(around, revoke, form);
  if (!ok) throw new CliFailure(exits.refused, `${revoke} does not take it back: ${errorIn(body)}`);
  return undefined;
}

/**
 * A new token for a context whose token was refused. Another command may have stored one meanwhile;
 * otherwise the refresh token gets one, which is stored. Undefined without a valid refresh token.
 */
export async function renewedLogin(
  around: Around,
  { name, refused }: { name: string; refused: string },
): Promise<string | undefined> {
  const known = () => storedContexts(around.env).contexts[name];
  const meanwhile = () => {
    const { token } = known() ?? {};
    return token === refused ? undefined : token;
  };
  const { login: before, url } = known() ?? {};
  const token = meanwhile();
  if (token !== undefined || !before || url === undefined) return token;
  const { exchange, client, refresh } = before;
  const grant = { grant_type: "refresh_token", client_id: client, refresh_token: refresh };
  const { ok, body } = await post(around, exchange, grant);
  // The refresh token may be valid only once, and another command may have used it.
  if (!ok) return meanwhile();
  const next = endpointIn(body, { url, ...before });
  const stored = storedContexts(around.env);
  storeContexts(around.env, { ...stored, contexts: { ...stored.contexts, [name]: next } });
  return next.token;
}

function endpointIn(
  body: unknown,
  { url, refresh, ...issuer }: { url: string } & Omit<Login, "refresh"> & Partial<Login>,
): StoredEndpoint {
  const next = text(at(body, "refresh_token")) || refresh;
  const token = text(at(body, "access_token"));
  if (!token) throw new CliFailure(exits.refused, "the issuer's answer contains no token");
  return { url, token, ...(next && { login: { ...issuer, refresh: next } }) };
}

/** The first issuer that this Slipway trusts. */
async function issuerOf(around: Around, url: string): Promise<string> {
  const capabilities = await read(around, `${url}/api/fulfillment/v1/capabilities`);
  const [issuer] = list(at(capabilities, "authn.trusted_token_issuers")).map(text);
  if (!issuer) throw new CliFailure(exits.refused, `${url} names no issuer; use --issuer`);
  return issuer;
}

const read = async (around: Around, url: string): Promise<unknown> =>
  (await answered(around, url, { method: "GET" })).body;

function post(around: Around, url: string, form: Record<string, string>) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return answered(around, url, {
    method: "POST",
    headers,
    body: new URLSearchParams(form).toString(),
  });
}

async function answered(around: Around, url: string, init: RequestInit) {
  try {
    const response = await answerOf(around, url, init);
    return { ok: response.ok, body: await response.json().catch(() => undefined) };
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFailure(exits.unreachable, `${url} is unreachable: ${reason}`);
  }
}

const errorIn = (body: unknown): string => text(at(body, "error")) || "it gave no reason";
