import * as z from "zod";
import { bearerIn } from "./identity/bearer.ts";
import { verdictOf } from "./identity/verdict.ts";
import type { Verify } from "./identity/verify.ts";

/** A Lambda authorizer's event of format 2.0; the token is its one source of identity. */
const asked = z.object({ identitySource: z.tuple([z.string()]) });

interface Answer {
  isAuthorized: boolean;
  context: { verdict: string };
}

/**
 * The authorizer's function: checks a token where its issuer can be reached, and passes its verdict to
 * the API. It refuses only a header without a bearer token; the API answers in all other cases.
 */
export function authorizer(verify: Verify): (event: unknown) => Promise<Answer> {
  return async (event) => {
    const [header] = asked.parse(event).identitySource;
    const token = bearerIn(header);
    if (token === undefined) return { isAuthorized: false, context: { verdict: "" } };
    return { isAuthorized: true, context: { verdict: await verdictOf(verify(token)) } };
  };
}
