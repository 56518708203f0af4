import * as z from "zod";
import { bearerIn } from "./identity/bearer.ts";
import { verdictOf } from "./identity/verdict.ts";
import type { Verify } from "./identity/verify.ts";

/** A Lambda authorizer's event of format 2.0. The token is its only source of identity. */
const asked = z.object({ identitySource: z.tuple([z.string()]) });

interface Answer {
  isAuthorized: boolean;
  context: { verdict: string };
}

/**
 * The authorizer's function: verifies a token where its issuer is reachable, and passes the verdict to the API. It
 * refuses only a header without a bearer token; the API answers all other cases.
 */
export function authorizer(verify: Verify): (event: unknown) => Promise<Answer> {
  return async (event) => {
    const [header] = asked.parse(event).identitySource;
    const token = bearerIn(header);
    if (token === undefined) return { isAuthorized: false, context: { verdict: "" } };
    return { isAuthorized: true, context: { verdict: await verdictOf(verify(token)) } };
  };
}
