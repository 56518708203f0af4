import { type Deployed, deployFunction, type Shared } from "./functions.ts";

/** What anybody may ask. */
const open = ["GET /healthz", "GET /api/fulfillment/v1/capabilities"];

/**
 * The HTTP API: one function, which buffers and ends at 30 s. API Gateway's JWT authorizer knows one
 * issuer: with several, the function checks the tokens itself.
 */
export function api(shared: Shared): { gateway: sst.aws.ApiGatewayV2; api: Deployed } {
  const { stage } = shared;
  const { issuers, domain, cors, throttle } = stage.parameters.api;
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
  for (const route of open) gateway.route(route, deployed.arn);
  const [only, another] = issuers;
  if (only && !another) {
    const { issuer, audiences } = only;
    const tokens = gateway.addAuthorizer({ name: "tokens", jwt: { issuer, audiences } });
    gateway.route("ANY /api/{proxy+}", deployed.arn, { auth: { jwt: { authorizer: tokens.id } } });
  } else gateway.route("ANY /api/{proxy+}", deployed.arn);
  return { gateway, api: deployed };
}
