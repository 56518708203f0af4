import type { LambdaEvent } from "hono/aws-lambda";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../core/error.ts";
import { apiHandler } from "../../../functions/api/handler.ts";
import type { IssuerOptions } from "../../../functions/identity/issuers.ts";
import { testDeps } from "../../support/deps.ts";

const path = "/api/fulfillment/v1/clusters";

const event = ({ claims, token }: { claims?: object; token?: string } = {}): LambdaEvent => ({
  version: "2.0",
  routeKey: "$default",
  rawPath: path,
  rawQueryString: "",
  headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  body: null,
  isBase64Encoded: false,
  requestContext: {
    accountId: "1",
    apiId: "a",
    domainName: "api.example.com",
    domainPrefix: "api",
    requestId: "r",
    routeKey: "$default",
    stage: "$default",
    time: "",
    timeEpoch: 0,
    http: { method: "GET", path, protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "test" },
    ...(claims ? { authorizer: { jwt: { claims } } } : {}),
  } as never,
});

const iss = "https://login.example.com";
const nobody = async () => {
  throw new AppError("Unauthenticated", "the token is not valid");
};

function handlerOf(options: Partial<IssuerOptions> = {}, verify: () => Promise<never> = nobody) {
  const issuers = [{ issuer: iss, audiences: ["slipway"], ...options }];
  return apiHandler(testDeps(), { profile: "slipway", issuers, verify });
}

describe("what API Gateway has verified", () => {
  it("says who is calling", async () => {
    const handler = handlerOf();
    const claims = { iss, sub: "ann", tenant: "t", roles: "[tenant-user]" };
    expect(await handler(event({ claims }))).toMatchObject({
      statusCode: 200,
      body: '{"size":0,"total":0,"items":[]}',
    });
    expect(await handler(event())).toMatchObject({ statusCode: 401 });
    const other = { ...claims, iss: "https://login.example.org" };
    expect(await handler(event({ claims: other }))).toMatchObject({ statusCode: 401 });
  });

  it("is read by the names of the stage, and no others in their place", async () => {
    const handler = handlerOf({ claims: { user: "email", tenant: "org", roles: "groups" } });
    const own = { iss, email: "ann@example.com", org: "t", groups: "[tenant-user]" };
    expect(await handler(event({ claims: own }))).toMatchObject({ statusCode: 200 });
    const usual = { iss, sub: "ann", tenant: "t", roles: "[tenant-user]" };
    expect(await handler(event({ claims: usual }))).toMatchObject({ statusCode: 401 });
  });
});

describe("what the authorizer has verified", () => {
  const answer = (verdict: object) => {
    const asked = event();
    const authorizer = { lambda: { verdict: JSON.stringify(verdict) } };
    const requestContext = { ...asked.requestContext, authorizer } as never;
    return handlerOf()({ ...asked, requestContext });
  };

  it("says who is calling", async () => {
    const principal = { user: "ann", tenant: "t", roles: ["tenant-user"] };
    expect(await answer({ principal })).toMatchObject({ statusCode: 200 });
  });

  it("is answered as if the API had looked itself", async () => {
    const bad = { kind: "Unauthenticated", message: "the token has expired" };
    expect(await answer(bad)).toMatchObject({ statusCode: 401 });
    const away = { kind: "Unavailable", message: "the issuer of the token does not answer" };
    expect(await answer(away)).toMatchObject({ statusCode: 503, headers: { "retry-after": "5" } });
  });

  it("is believed only in its own form", async () => {
    const principal = { user: "ann", tenant: "t", roles: ["king"] };
    expect(await answer({ principal })).toMatchObject({ statusCode: 500 });
  });
});

describe("a token that API Gateway has not looked at", () => {
  it("is verified here", async () => {
    const answer = await handlerOf()(event({ token: "x" }));
    expect(answer).toMatchObject({
      statusCode: 401,
      headers: { "www-authenticate": 'Bearer error_description="the token is not valid"' },
    });
  });

  it("is 503 and worth another try when its issuer does not answer", async () => {
    const away = async () => {
      throw new AppError("Unavailable", "the issuer of the token does not answer");
    };
    const answer = await handlerOf({}, away)(event({ token: "x" }));
    expect(answer).toMatchObject({
      statusCode: 503,
      headers: { "retry-after": "5" },
      body: expect.stringContaining('"retryable":true'),
    });
  });
});
