import { allowedHeaders, exposedHeaders, maxAge } from "../../functions/api/cross-origin.ts";
import { type Deployed, deployFunction, type Shared } from "./functions.ts";
import { group, type Network } from "./network.ts";

/** What anybody may ask. */
const open = [
  "GET /healthz",
  "GET /api/fulfillment/v1/capabilities",
  "GET /",
  "GET /docs",
  "GET /docs/{proxy+}",
];

/** How long API Gateway believes what the authorizer said of a token. */
const believed = "30 seconds";

interface Front {
  gateway: sst.aws.ApiGatewayV2;
  api: Deployed;
  authorizer: Deployed | undefined;
}

/**
 * The HTTP API: one function, which buffers and ends at 30 s. API Gateway's JWT authorizer knows one
 * issuer: with several, the function checks the tokens itself. Where AWS cannot reach the issuers, a
 * function in the network does.
 */
export function api(shared: Shared, network: Network): Front {
  const { stage } = shared;
  const { authorizer: by, issuers, domain, cors, throttle } = stage.parameters.api;
  const deployed = deployFunction(shared, "api", {
    description: "the HTTP API",
    seconds: 29,
    megabytes: 1024,
  });
  const gateway = new sst.aws.ApiGatewayV2("Gateway", {
    // A browser takes `*` for every header but Authorization, so all are named.
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
  // Browsers ask without a token first, which the route of everything would refuse.
  if (cors !== undefined) gateway.route("OPTIONS /api/{proxy+}", deployed.arn);
  const all = "ANY /api/{proxy+}";
  const [only, another] = issuers;
  const authorizer = by === "lambda" ? authorizerIn(shared, network) : undefined;
  if (authorizer) {
    const tokens = gateway.addAuthorizer({
      name: "tokens",
      lambda: { function: authorizer.arn, response: "simple", ttl: believed },
    });
    gateway.route(all, deployed.arn, { auth: { lambda: tokens.id } });
  } else if (only && !another) {
    const { issuer, audiences } = only;
    const tokens = gateway.addAuthorizer({ name: "tokens", jwt: { issuer, audiences } });
    gateway.route(all, deployed.arn, { auth: { jwt: { authorizer: tokens.id } } });
  } else gateway.route(all, deployed.arn);
  return { gateway, api: deployed, authorizer };
}

/** It reaches issuers by HTTPS, over the network's own routes. */
function authorizerIn(shared: Shared, network: Network): Deployed {
  const { id } = group("Issuers", `${shared.stage.prefix}-issuers`, network, [443]);
  return deployFunction(shared, "authorizer", {
    description: "checks tokens of issuers that only the network reaches",
    seconds: 15,
    megabytes: 512,
    vpc: { privateSubnets: network.subnets, securityGroups: [id] },
  });
}
