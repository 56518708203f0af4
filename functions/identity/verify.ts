import { decodeJwt, errors, jwtVerify } from "jose";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import type { HttpFetch } from "../../core/http.ts";
import type { IssuerOptions } from "./issuers.ts";
import { IssuerKeys } from "./keys.ts";
import { type Principal, principalOf } from "./principal.ts";

/** Public keys only: with a shared secret, or without a key, anybody could sign. */
const algorithms = ["RS256", "ES256"];
/** How far our clock and an issuer's may differ, in seconds. */
const skew = 60;
/** The longest token in characters; a header cannot hold a longer one. */
const longest = 16_384;

export interface VerifierDeps {
  /** Real time, in which tokens expire. */
  wall: Clock;
  /** Replaces the global `fetch`. */
  fetch?: HttpFetch;
}

/**
 * The principal of a token. Throws Unauthenticated for a bad token, and Unavailable when the
 * issuer's keys cannot be read, which does not make the token bad.
 */
export type Verify = (token: string) => Promise<Principal>;

/**
 * Checks tokens of these issuers, each by its issuer's keys. A process has one verifier, which
 * keeps the keys.
 */
export function verifier(deps: VerifierDeps, issuers: readonly IssuerOptions[]): Verify {
  const known = new Map(
    issuers.map((options) => {
      const { issuer } = options;
      return [issuer, { options, keys: new IssuerKeys({ issuer, ...deps }) }] as const;
    }),
  );
  return async (token) => {
    const from = known.get(issuerIn(token));
    if (!from) throw refusal();
    const { options, keys } = from;
    const claims = await jwtVerify(token, (header, input) => keys.find(header, input), {
      algorithms,
      issuer: options.issuer,
      audience: options.audiences,
      clockTolerance: skew,
      currentDate: new Date(deps.wall.now()),
      requiredClaims: ["exp"],
    }).catch((error: unknown) => {
      throw error instanceof AppError ? error : refusal(error);
    });
    const principal = principalOf(claims.payload, options);
    if (!principal) throw refusal(undefined, "the token's user is not known here");
    return principal;
  };
}

/**
 * The issuer that a token claims, which says by whose keys to check the token; not verified yet.
 */
function issuerIn(token: string): string {
  if (token.length > longest) throw refusal();
  try {
    return decodeJwt(token).iss ?? "";
  } catch (error) {
    throw refusal(error);
  }
}

function refusal(cause?: unknown, message?: string): AppError {
  const isOver = cause instanceof errors.JWTExpired;
  const why = message ?? (isOver ? "the token has expired" : "the token is not valid");
  return new AppError("Unauthenticated", why, { cause });
}
