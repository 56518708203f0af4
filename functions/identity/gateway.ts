import type { Claims } from "./claims.ts";

/**
 * The claims of the token that API Gateway's JWT authorizer has verified, decoded from the token itself, because
 * the gateway forwards claims as ambiguous text: a list becomes `[a b]`, an object `map[a:b]`, and a name may look
 * the same. Undefined if the token is not the verified one.
 */
export function claimsIn(token: string, passedOn: Claims): Claims | undefined {
  const claims = payloadOf(token);
  const isThat = ["iss", "sub"].every((name) => claims?.[name] === passedOn[name]);
  return isThat ? claims : undefined;
}

/** Decodes a token without verifying it; the gateway has verified it. */
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
