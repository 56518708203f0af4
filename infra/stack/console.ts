import { asked, lasting, policyFor } from "../../console/headers.ts";
import { builtConsole } from "./bundles.ts";
import type { Stage } from "./stage.ts";
import { provenBy, tellsViewers } from "./viewers.ts";

/** CloudFront's own policies: nothing is cached, and everything but the Host header is forwarded. */
const notCached = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
const asItCame = "b689b0a8-53d0-40ab-baf2-68738e2966ac";

/** The paths that the API serves at the console's origin. */
const ofApi = ["/api/*", "/docs", "/docs/*", "/healthz"];

const every = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/** Watches answer within 29 seconds; CloudFront's default timeout is 30 seconds. */
const patience = 60;

/**
 * The console, if the stage has one: a static site behind a CloudFront router, which forwards the API's paths to
 * the API, so that both have one origin. Answers of the API are never cached, because tenants share URLs. A live
 * development stage has no console, since its files would belong to no release.
 */
export function consoleSite(
  stage: Stage,
  gateway: sst.aws.ApiGatewayV2,
  proof: $util.Output<string> | undefined,
): sst.aws.Router | undefined {
  const { console: wanted, api } = stage.parameters;
  if (!wanted || !proof) return undefined;
  const issuers = api.issuers.map(({ issuer }) => new URL(issuer).origin);
  const sent = headers(stage, [...issuers, ...wanted.connect]);
  const viewers = tellsViewers(stage);
  const router = new sst.aws.Router("Console", {
    ...(wanted.domain !== undefined && { domain: wanted.domain }),
    transform: {
      cdn: (cdn) => {
        cdn.comment = `${stage.prefix}: the console, and the API at its origin`;
        cdn.origins = $output(cdn.origins).apply((origins) => [
          ...origins,
          originOf(gateway, proof),
        ]);
        cdn.defaultCacheBehavior = $output(cdn.defaultCacheBehavior).apply((behavior) => ({
          ...behavior,
          responseHeadersPolicyId: sent.id,
        }));
        cdn.orderedCacheBehaviors = ofApi.map((pathPattern) => ({
          pathPattern,
          targetOriginId: "api",
          viewerProtocolPolicy: "https-only",
          allowedMethods: every,
          cachedMethods: ["GET", "HEAD"],
          compress: true,
          cachePolicyId: notCached,
          originRequestPolicyId: asItCame,
          responseHeadersPolicyId: sent.id,
          functionAssociations: [{ eventType: "viewer-request", functionArn: viewers.arn }],
        }));
      },
    },
  });
  new sst.aws.StaticSite("ConsoleSite", {
    path: builtConsole(),
    router: { instance: router },
    assets: {
      // Open pages continue with the files of their own release.
      purge: false,
      fileOptions: [
        { files: "**", cacheControl: lasting },
        { files: ["*.html", "*.svg"], cacheControl: asked },
      ],
    },
    invalidation: { paths: ["/index.html"] },
    transform: { assets: { cors: false } },
  });
  return router;
}

const originOf = (gateway: sst.aws.ApiGatewayV2, proof: $util.Output<string>) => ({
  originId: "api",
  domainName: gateway.nodes.api.apiEndpoint.apply((url) => new URL(url).host),
  customHeaders: [provenBy(proof)],
  customOriginConfig: {
    httpPort: 80,
    httpsPort: 443,
    originProtocolPolicy: "https-only",
    originReadTimeout: patience,
    originSslProtocols: ["TLSv1.2"],
  },
});

/** The headers that browsers get with every answer, where the API sets none of the same name. */
const headers = (stage: Stage, origins: readonly string[]) =>
  new aws.cloudfront.ResponseHeadersPolicy("ConsoleHeaders", {
    name: `${stage.prefix}-console`,
    comment: "what browsers may do with the console",
    securityHeadersConfig: {
      contentSecurityPolicy: { contentSecurityPolicy: policyFor(origins), override: false },
      contentTypeOptions: { override: true },
      referrerPolicy: { referrerPolicy: "no-referrer", override: false },
      strictTransportSecurity: { accessControlMaxAgeSec: 63_072_000, override: true },
    },
  });
