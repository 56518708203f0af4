import { decodeJwt, errors, jwtVerify } from "jose";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import type { HttpFetch } from "../../core/http.ts";
import type { IssuerOptions } from "./issuers.ts";
import { IssuerKeys } from "./keys.ts";
import { type Principal, principalOf } from "./principal.ts";

/** Public keys only: with a shared secret, or unsigned tokens, anybody could make one. */
const algorithms = ["RS256", "ES256"];
/** How far our clock and an issuer's may differ, in seconds. */
const skew = 60;
/** The longest token, in characters; a header has no room for more. */
const longest = 16_384;

export interface VerifierDeps {
  /** The system's clock, by which tokens expire. */
  wall: Clock;
  /** Replaces the global `fetch`. */
  fetch?: HttpFetch;
}

/**
 * The principal of a token. Throws Unauthenticated for an invalid token, and Unavailable when the issuer's keys
 * cannot be read, since the token may be valid.
 */
export type Verify = (token: string) => Promise<Principal>;

/** Verifies tokens by the keys of their issuers. A process has one verifier, which caches the keys. */
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
    if (!principal) throw refusal(undefined, "the token names no user of this deployment");
    return principal;
  };
}

/** The issuer that an unverified token names; its keys then verify the token. */
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
