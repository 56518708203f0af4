import { decodeJwt, errors, jwtVerify } from "jose";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import type { HttpFetch } from "../../core/http.ts";
import { type Principal, principalOf } from "../api/principal.ts";
import type { IssuerOptions } from "./issuers.ts";
import { IssuerKeys } from "./keys.ts";

/** Public keys only: with a shared secret, or none, anybody could sign. */
const algorithms = ["RS256", "ES256"];
/** How far our clock and an issuer's may be apart, in seconds. */
const skew = 60;
/** Characters; nothing that fits into a header is longer. */
const longest = 16_384;

export interface VerifierDeps {
  /** Tokens end in real time. */
  wall: Clock;
  /** In place of the global one. */
  fetch?: HttpFetch;
}

/**
 * Who a token is of. Throws Unauthenticated for one that is not good; Unavailable when its issuer's
 * keys cannot be read, which says nothing of the token.
 */
export type Verify = (token: string) => Promise<Principal>;

/** Checks tokens of these issuers, each by its own keys. One for a process: it keeps the keys. */
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
    if (!principal) throw refusal(undefined, "the token names nobody who is known here");
    return principal;
  };
}

/** Not to be believed yet: it says by whose keys the token has to be checked. */
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
