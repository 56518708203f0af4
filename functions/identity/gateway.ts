import type { Claims } from "./claims.ts";

/**
 * The claims of the token that API Gateway's JWT authorizer has verified. What the gateway passes on
 * of them is text, a list `[a b]` and an object `map[a:b]`, which is also what a name of such
 * letters is; so they are read from the token itself. Undefined for a token that is not the one the
 * gateway speaks of.
 */
export function claimsIn(token: string, passedOn: Claims): Claims | undefined {
  const claims = payloadOf(token);
  const isThat = ["iss", "sub"].every((name) => claims?.[name] === passedOn[name]);
  return isThat ? claims : undefined;
}

/** Decoded and no more: verifying it is another's. */
function payloadOf(token: string): Claims | undefined {
  const [, payload = "", signature, more] = token.split(".");
  if (signature === undefined || more !== undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    return typeof claims === "object" && claims !== null ? { ...claims } : undefined;
  } catch {
    return undefined;
  }
}
