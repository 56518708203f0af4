import { allowedHeaders, exposedHeaders, maxAge } from "../../functions/api/cross-origin.ts";
import { type Deployed, deployFunction, type Shared } from "./functions.ts";
import { group, type Network, vpcOf } from "./network.ts";
import type { Stage } from "./stage.ts";

/** Routes that need no token. */
const open = [
  "GET /healthz",
  "GET /api/fulfillment/v1/capabilities",
  "GET /",
  "GET /docs",
  "GET /docs/{proxy+}",
];

/** How long API Gateway caches the authorizer's verdict on a token. */
const believed = "30 seconds";

/** Routes that wait until something happens. */
const waiting = ["GET /api/events/v1/events", "GET /api/private/v1/events/watch"];

interface Front {
  gateway: sst.aws.ApiGatewayV2;
  api: Deployed;
  watch: Deployed;
  authorizer: Deployed | undefined;
}

/**
 * The HTTP API: a function for requests that are answered at once and one for watches, each with its own
 * concurrency, so that watches take no runs from other requests. Both buffer their answers, and end at 30 s. API
 * Gateway's JWT authorizer supports one issuer: with several, the functions verify the tokens. Where AWS cannot
 * reach the issuers, a function in the network verifies them.
 */
export function api(shared: Shared, network: Network | undefined): Front {
  const { stage } = shared;
  const { authorizer: by, domain, cors, throttle } = stage.parameters.api;
  const deployed = deployFunction(shared, "api", {
    description: "the HTTP API",
    seconds: 29,
  });
  const watch = deployFunction(shared, "watch", {
    description: "the watches of the HTTP API",
    seconds: 29,
  });
  const gateway = new sst.aws.ApiGatewayV2("Gateway", {
    // In browsers, `*` excludes the header Authorization, so all headers are named.
    cors: cors !== undefined && {
      allowOrigins: cors,
      allowMethods: ["*"],
      allowHeaders: allowedHeaders,
      exposeHeaders: exposedHeaders,
      maxAge: `${maxAge} seconds`,
    },
    accessLog: { retention: stage.parameters.protected ? "3 months" : "2 weeks" },
    ...(domain !== undefined && { domain }),
    transform: {
      api: { name: stage.prefix },
      stage: {
        defaultRouteSettings: {
          throttlingRateLimit: throttle.rate,
          throttlingBurstLimit: throttle.burst,
          detailedMetricsEnabled: true,
        },
      },
      ...(stage.key && { logGroup: { kmsKeyId: stage.key.arn } }),
    },
  });
  for (const route of open) gateway.route(route, deployed.arn);
  // Browsers send preflights without a token, which the general route would refuse.
  if (cors !== undefined) gateway.route("OPTIONS /api/{proxy+}", deployed.arn);
  const authorizer = by === "lambda" ? authorizerIn(shared, network) : undefined;
  const auth = checked(gateway, stage, authorizer);
  gateway.route("ANY /api/{proxy+}", deployed.arn, { auth });
  for (const route of waiting) gateway.route(route, watch.arn, { auth });
  return { gateway, api: deployed, watch, authorizer };
}

/** The gateway's authorizer; none where the functions check tokens. */
function checked(
  gateway: sst.aws.ApiGatewayV2,
  { parameters }: Stage,
  authorizer: Deployed | undefined,
): sst.aws.ApiGatewayV2RouteArgs["auth"] {
  const [only, another] = parameters.api.issuers;
  if (authorizer) {
    const lambda = { function: authorizer.arn, response: "simple", ttl: believed } as const;
    return { lambda: gateway.addAuthorizer({ name: "tokens", lambda }).id };
  }
  if (!only || another) return undefined;
  const { issuer, audiences } = only;
  const tokens = gateway.addAuthorizer({ name: "tokens", jwt: { issuer, audiences } });
  return { jwt: { authorizer: tokens.id } };
}

/** The authorizer's function, which reaches issuers by HTTPS over the network's own routes. */
function authorizerIn(shared: Shared, network: Network | undefined): Deployed {
  const issuers = network && group("Issuers", `${shared.stage.prefix}-issuers`, network, [443]);
  return deployFunction(shared, "authorizer", {
    description: "checks tokens of issuers that only the network reaches",
    seconds: 15,
    ...(network && issuers && vpcOf(network, issuers)),
  });
}
