import { systemClock } from "../../core/clock.ts";
import { once } from "../once.ts";
import type { IssuerOptions } from "./issuers.ts";
import type { Verify } from "./verify.ts";

/** Where the gateway checks tokens, nobody else has to. */
export function verifierWhenNeeded(issuers: readonly IssuerOptions[]): Verify {
  const verify = once(async () =>
    (await import("./verify.ts")).verifier({ wall: systemClock }, issuers),
  );
  return async (token) => (await verify())(token);
}
