import * as oauth from "oauth4webapi";
import type { Capabilities } from "../generated/answers.ts";
import { placeIn } from "./place.ts";
import { type Session, signedIn } from "./session.ts";

/**
 * Sign-in: the code flow with PKCE (RFC 7636) at an issuer that the API trusts. Sign-out ends the session there too.
 */

const client: oauth.Client = { client_id: "slipway-console" };
const scope = "openid";

/** What has to survive the redirect to the issuer and back; none of it is a credential. */
interface Journey {
  issuer: string;
  verifier: string;
  state: string;
  /** The page that the person was on. */
  place: string;
  isSilent: boolean;
}
const journeyItem = "slipway.journey";

export async function issuers(): Promise<string[]> {
  const answer = await fetch("/api/fulfillment/v1/capabilities");
  if (!answer.ok) throw new Error(`the API answered ${answer.status}`);
  const capabilities = (await answer.json()) as Capabilities;
  return capabilities.authn.trusted_token_issuers;
}

/** A laptop's issuer uses http; no other may. */
export const isOfLaptop = (issuer: string): boolean => new URL(issuer).protocol === "http:";

const optionsFor = (issuer: string) => ({ [oauth.allowInsecureRequests]: isOfLaptop(issuer) });

const callback = (): string => `${location.origin}/`;

async function serverOf(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  const answer = await oauth.discoveryRequest(url, optionsFor(issuer));
  return oauth.processDiscoveryResponse(url, answer);
}

/**
 * Redirects to the issuer. `isSilent`: without a question, so that it redirects back at once whether or not somebody is
 * signed in.
 */
export async function begin(issuer: string, { isSilent = false } = {}): Promise<void> {
  const server = await serverOf(issuer);
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const place = placeIn(location);
  const journey: Journey = { issuer, verifier, state, place, isSilent };
  sessionStorage.setItem(journeyItem, JSON.stringify(journey));
  const target = new URL(server.authorization_endpoint ?? "");
  const parameters = {
    client_id: client.client_id,
    redirect_uri: callback(),
    response_type: "code",
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(isSilent && { prompt: "none" }),
  };
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  location.assign(target);
}

export type Arrival =
  /** The person did not arrive from an issuer. */
  | { from: "elsewhere" }
  | { from: "issuer"; place: string }
  /** Nobody is signed in at the issuer, or it refuses. */
  | { from: "refused"; place: string; why: string | undefined };

/** Handles the issuer's answer in the address, if there is one. */
export async function arrive(): Promise<Arrival> {
  const stored = sessionStorage.getItem(journeyItem);
  sessionStorage.removeItem(journeyItem);
  const here = new URL(location.href);
  if (!stored || !here.searchParams.has("state")) return { from: "elsewhere" };
  const journey = JSON.parse(stored) as Journey;
  const { issuer, verifier, state, place, isSilent } = journey;
  try {
    const server = await serverOf(issuer);
    const parameters = oauth.validateAuthResponse(server, client, here, state);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      callback(),
      verifier,
      optionsFor(issuer),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);
    begun(server, optionsFor(issuer), tokens);
    return { from: "issuer", place };
  } catch (error) {
    const isNobody = isSilent && error instanceof oauth.AuthorizationResponseError;
    return { from: "refused", place, why: isNobody ? undefined : wordsOf(error) };
  }
}

/** A session, which renews its token as long as the issuer permits. */
function begun(
  server: oauth.AuthorizationServer,
  options: ReturnType<typeof optionsFor>,
  tokens: oauth.TokenEndpointResponse,
  before?: string,
): void {
  // An issuer without a new refresh token expects the same one again.
  const refresh = tokens.refresh_token ?? before;
  const renew = async (token: string) => {
    const asked = oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, options);
    const next = await oauth.processRefreshTokenResponse(server, client, await asked);
    begun(server, options, next, token);
  };
  signedIn(sessionOf(tokens), {
    ...(refresh !== undefined && { renew: () => renew(refresh) }),
    leave: () => leave(server),
  });
}

/**
 * Redirects to the issuer to end the session there (OpenID Connect RP-Initiated Logout 1.0); otherwise the next person
 * at this console would be signed in silently as the same one. The address contains no token.
 */
function leave({ end_session_endpoint: end }: oauth.AuthorizationServer): void {
  if (end === undefined) return;
  const target = new URL(end);
  target.searchParams.set("client_id", client.client_id);
  target.searchParams.set("post_logout_redirect_uri", callback());
  location.assign(target);
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : "the issuer refused";

type Claims = Record<string, unknown>;

/** The session of an access token. Its claims only determine what is shown; the API checks every request. */
function sessionOf(tokens: { access_token: string; expires_in?: number }): Session {
  const claims = claimsIn(tokens.access_token);
  const roles = Array.isArray(claims.roles) ? claims.roles.map(String) : [];
  const isStaff = roles.some((role) => role.startsWith("provider-"));
  const [tenant] = [claims.organization ?? claims.tenant].flat();
  return {
    token: tokens.access_token,
    until: Date.now() + (tokens.expires_in ?? 300) * 1000,
    user: String(claims.preferred_username ?? claims.sub ?? ""),
    tenant: typeof tenant === "string" ? tenant : "",
    isStaff,
    mayChange: !isStaff || roles.includes("provider-admin"),
  };
}

function claimsIn(token: string): Claims {
  const [, body = ""] = token.split(".");
  const bytes = Uint8Array.from(atob(body.replace(/-/g, "+").replace(/_/g, "/")), (character) =>
    character.charCodeAt(0),
  );
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}
