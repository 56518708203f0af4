import { systemClock } from "../../core/clock.ts";
import { once } from "../runtime/once.ts";
import type { IssuerOptions } from "./issuers.ts";
import type { Verify } from "./verify.ts";

/** Loaded with the first call, because functions verify no tokens where the gateway does. */
export function lazyVerifier(issuers: readonly IssuerOptions[]): Verify {
  const verify = once(async () =>
    (await import("./verify.ts")).verifier({ wall: systemClock }, issuers),
  );
  return async (token) => (await verify())(token);
}
