import { handle, type LambdaContext, type LambdaEvent } from "hono/aws-lambda";
import type { Deps } from "../../core/deps.ts";
import { profiles } from "../../core/view/view.ts";
import { createApp } from "./app.ts";
import { type Claims, principalOf } from "./principal.ts";

/** What API Gateway's HTTP API hands over; its JWT authorizer has verified the token. */
interface Bindings {
  event?: { requestContext?: { authorizer?: { jwt?: { claims?: Claims } } } };
}

export type ApiHandler = (event: LambdaEvent, context?: LambdaContext) => Promise<unknown>;

/** The Lambda handler of the API. `API_PROFILE` and `ISSUER` in the environment. */
export function apiHandler(
  deps: Deps,
  environment: Record<string, string | undefined>,
): ApiHandler {
  const profile = profiles.find((each) => each === environment.API_PROFILE) ?? "slipway";
  const app = createApp(deps, {
    profile,
    ...(environment.ISSUER === undefined ? {} : { issuer: environment.ISSUER }),
    principal: (c) => {
      const { event }: Bindings = c.env;
      const claims = event?.requestContext?.authorizer?.jwt?.claims;
      return claims && principalOf(claims);
    },
  });
  return handle(app);
}
