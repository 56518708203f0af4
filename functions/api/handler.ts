import { handle, type LambdaContext, type LambdaEvent } from "hono/aws-lambda";
import type { Deps } from "../../core/deps.ts";
import type { Profile } from "../../core/view/view.ts";
import { createApp } from "./app.ts";
import { type Claims, principalOf } from "./principal.ts";

/** What API Gateway's HTTP API hands over; its JWT authorizer has verified the token. */
interface Bindings {
  event?: {
    requestContext?: { http?: { sourceIp?: string }; authorizer?: { jwt?: { claims?: Claims } } };
  };
}

export interface ApiOptions {
  /** What clients get that do not ask. */
  profile: Profile;
  /** Whose tokens are accepted. */
  issuer?: string | undefined;
  /** Under which names the issuer says what Slipway wants to know; its own when absent. */
  claims?: ClaimNames;
}

export interface ClaimNames {
  user?: string | undefined;
  tenant?: string | undefined;
  roles?: string | undefined;
}

export type ApiHandler = (event: LambdaEvent, context?: LambdaContext) => Promise<unknown>;

/** The Lambda handler of the API. */
export function apiHandler(deps: Deps, { profile, issuer, claims = {} }: ApiOptions): ApiHandler {
  const app = createApp(deps, {
    profile,
    ...(issuer === undefined ? {} : { issuer }),
    principal: (c) => {
      const { event }: Bindings = c.env;
      const verified = event?.requestContext?.authorizer?.jwt?.claims;
      return verified && principalOf(renamed(verified, claims));
    },
    source: (c) => {
      const { event }: Bindings = c.env;
      return event?.requestContext?.http?.sourceIp;
    },
  });
  return handle(app);
}

/** The claims under Slipway's own names; what the issuer says there otherwise does not count. */
function renamed(claims: Claims, { user, tenant, roles }: ClaimNames): Claims {
  return {
    ...claims,
    ...(user !== undefined && { preferred_username: claims[user], sub: undefined }),
    ...(tenant !== undefined && { organization: claims[tenant], tenant: undefined }),
    ...(roles !== undefined && { roles: claims[roles] }),
  };
}
