import { type Deployed, deployFunction, type Shared } from "./functions.ts";

/** What anybody may ask. */
const open = ["GET /healthz", "GET /api/fulfillment/v1/capabilities"];

/** The HTTP API: one function behind a JWT authorizer. It buffers, and ends at 30 s. */
export function api(shared: Shared): { gateway: sst.aws.ApiGatewayV2; api: Deployed } {
  const { stage } = shared;
  const { issuer, audiences, domain, cors, throttle } = stage.parameters.api;
  const deployed = deployFunction(shared, "api", {
    description: "the HTTP API",
    seconds: 29,
    megabytes: 1024,
  });
  const gateway = new sst.aws.ApiGatewayV2("Gateway", {
    cors:
      cors === undefined ? false : { allowOrigins: cors, allowMethods: ["*"], allowHeaders: ["*"] },
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
  const tokens = gateway.addAuthorizer({ name: "tokens", jwt: { issuer, audiences } });
  for (const route of open) gateway.route(route, deployed.arn);
  gateway.route("ANY /api/{proxy+}", deployed.arn, { auth: { jwt: { authorizer: tokens.id } } });
  return { gateway, api: deployed };
}
