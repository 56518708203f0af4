import { createLocalJWKSet, jwtVerify } from "jose";
import { audience, type Issuer } from "./issuer.ts";

/** Claims of a token that was verified. */
export type Claims = Record<string, unknown>;

/**
 * What API Gateway's JWT authorizer does: signature, issuer, audience and expiry of the bearer
 * token, RS256 only. Answers the claims; undefined without a good token. Expiry is real time.
 */
export function tokenCheck(issuer: Issuer): (request: Request) => Promise<Claims | undefined> {
  const keys = createLocalJWKSet(issuer.jwks);
  return async (request) => {
    const [, token] = /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (token === undefined) return undefined;
    try {
      const options = {
        issuer: issuer.url,
        audience,
        algorithms: ["RS256"],
        requiredClaims: ["exp"],
      };
      return (await jwtVerify(token, keys, options)).payload;
    } catch {
      return undefined;
    }
  };
}
