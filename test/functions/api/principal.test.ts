import type { LambdaEvent } from "hono/aws-lambda";
import { describe, expect, it } from "vitest";
import { apiHandler } from "../../../functions/api/handler.ts";
import { principalOf } from "../../../functions/api/principal.ts";
import { testDeps } from "../../support/deps.ts";

describe("claims", () => {
  it.each([
    [
      { sub: "s", preferred_username: "ann", tenant: "t", roles: ["tenant-user", "other"] },
      { user: "ann", tenant: "t", roles: ["tenant-user"] },
    ],
    [
      { sub: "ann", organization: ["t"], roles: "[tenant-admin tenant-user]" },
      { user: "ann", tenant: "t", roles: ["tenant-admin", "tenant-user"] },
    ],
    [
      { sub: "ann", organization: { t: {} }, roles: "tenant-user" },
      { user: "ann", tenant: "t", roles: ["tenant-user"] },
    ],
    [
      { sub: "ann", tenant: "t", roles: ["king"] },
      { user: "ann", tenant: "t", roles: [] },
    ],
    [
      { sub: "root", roles: ["provider-admin"] },
      { user: "root", tenant: "", roles: ["provider-admin"] },
    ],
  ])("%j name somebody", (claims, principal) => {
    expect(principalOf(claims)).toEqual(principal);
  });

  it.each([
    [{}],
    [{ sub: "ann", roles: ["tenant-user"] }],
    [{ sub: "ann", roles: ["king"] }],
    [{ sub: "a".repeat(300), tenant: "t", roles: ["tenant-user"] }],
    [{ tenant: "t", roles: ["tenant-user"] }],
    [{ sub: "ann", tenant: "shared", roles: ["tenant-admin"] }],
    [{ sub: "ann", tenant: "a#b", roles: ["tenant-admin"] }],
    [{ sub: "ann", organization: ["t".repeat(3000)], roles: ["tenant-admin"] }],
  ])("%j name nobody", (claims) => {
    expect(principalOf(claims)).toBeUndefined();
  });
});

describe("the Lambda handler", () => {
  const event = (claims?: object): LambdaEvent => ({
    version: "2.0",
    routeKey: "$default",
    rawPath: "/api/fulfillment/v1/clusters",
    rawQueryString: "",
    headers: { "content-type": "application/json" },
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
      http: {
        method: "GET",
        path: "/api/fulfillment/v1/clusters",
        protocol: "HTTP/1.1",
        sourceIp: "127.0.0.1",
        userAgent: "test",
      },
      ...(claims ? { authorizer: { jwt: { claims } } } : {}),
    } as never,
  });

  it("takes the caller from what API Gateway has verified", async () => {
    const handler = apiHandler(testDeps(), { profile: "slipway" });
    const answer = await handler(event({ sub: "ann", tenant: "t", roles: "[tenant-user]" }));
    expect(answer).toMatchObject({ statusCode: 200, body: '{"size":0,"total":0,"items":[]}' });
    expect(await handler(event())).toMatchObject({ statusCode: 401 });
  });

  it("reads the claims that the stage names, and no others in their place", async () => {
    const claims = { user: "email", tenant: "org", roles: "groups" };
    const handler = apiHandler(testDeps(), { profile: "slipway", claims });
    const own = { email: "ann@example.com", org: "t", groups: "[tenant-user]" };
    expect(await handler(event(own))).toMatchObject({ statusCode: 200 });
    const usual = { sub: "ann", tenant: "t", roles: "[tenant-user]" };
    expect(await handler(event(usual))).toMatchObject({ statusCode: 401 });
  });
});
