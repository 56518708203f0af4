import { systemClock } from "../core/clock.ts";
import type { HttpFetch } from "../core/http.ts";
import type { IssuerOptions } from "../functions/identity/issuers.ts";
import { type Verify, verifier } from "../functions/identity/verify.ts";
import { audience, type Issuer } from "./issuer.ts";

/** Verifies tokens of the laptop's issuer, which is called in process, and of other issuers. */
export function localVerifier(issuer: Issuer, others: readonly IssuerOptions[] = []): Verify {
  const fetch: HttpFetch = async (url, init) =>
    url.startsWith(`${issuer.url}/`)
      ? issuer.fetch(new Request(url, { method: init.method }))
      : globalThis.fetch(url, init);
  const own = { issuer: issuer.url, audiences: [audience] };
  return verifier({ wall: systemClock, fetch }, [own, ...others]);
}
