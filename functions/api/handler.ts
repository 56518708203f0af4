import { handle, type LambdaContext, type LambdaEvent } from "hono/aws-lambda";
import type { Deps } from "../../core/kernel/deps.ts";
import type { Profile } from "../../core/kernel/object/view.ts";
import { bearerIn } from "../identity/bearer.ts";
import type { Claims } from "../identity/claims.ts";
import { claimsIn } from "../identity/gateway.ts";
import type { IssuerOptions } from "../identity/issuers.ts";
import { principalOf } from "../identity/principal.ts";
import { principalBy } from "../identity/verdict.ts";
import type { Verify } from "../identity/verify.ts";
import type { Families } from "./families.ts";
import type { RateLimits } from "./rate-limits.ts";
import { serving } from "./serving.ts";
import { sourceOf } from "./source.ts";

/** The input from API Gateway's HTTP API, which has verified the token where the gateway has an authorizer. */
interface Bindings {
  event?: {
    requestContext?: {
      http?: { sourceIp?: string };
      authorizer?: { jwt?: { claims?: Claims }; lambda?: { verdict?: string } };
    };
  };
}

export interface ApiOptions {
  /** The profile of clients that request none. */
  profile: Profile;
  /** Limits of each instance of the function. */
  limits?: RateLimits;
  /** Origins that browsers may call from; none by default. */
  origins?: readonly string[] | undefined;
  /** The secret that proves a request came through the console's CloudFront; absent without a console. */
  consoleProof?: string | undefined;
  /** Issuers whose tokens are accepted. */
  issuers: readonly IssuerOptions[];
  /** Verifies tokens that the gateway has not verified. */
  verify: Verify;
}

export type ApiHandler = (event: LambdaEvent, context?: LambdaContext) => Promise<unknown>;

/** The Lambda handler of these families. */
export function apiHandler<D extends Deps>(
  families: Families<D>,
  deps: D,
  { profile, limits, origins, consoleProof, issuers, verify }: ApiOptions,
): ApiHandler {
  const app = serving(families, deps, {
    profile,
    limits,
    origins,
    issuers: issuers.map(({ issuer }) => issuer),
    principal: (c) => {
      const { event }: Bindings = c.env;
      const { jwt, lambda } = event?.requestContext?.authorizer ?? {};
      if (lambda?.verdict !== undefined) return principalBy(lambda.verdict);
      const token = bearerIn(c.req.header("Authorization"));
      if (token === undefined) return undefined;
      if (!jwt?.claims) return verify(token);
      const claims = claimsIn(token, jwt.claims);
      const from = issuers.find(({ issuer }) => issuer === claims?.iss);
      return claims && from && principalOf(claims, from);
    },
    source: (c) => {
      const { event }: Bindings = c.env;
      const seen = event?.requestContext?.http?.sourceIp;
      return sourceOf({ seen, header: (name) => c.req.header(name), proof: consoleProof });
    },
  });
  return handle(app);
}
