import type { LambdaEvent } from "hono/aws-lambda";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../core/error.ts";
import { families } from "../../../functions/api/families.ts";
import { apiHandler } from "../../../functions/api/handler.ts";
import type { IssuerOptions } from "../../../functions/identity/issuers.ts";
import {
  gatewayEvent,
  passedOn,
  tokenOf,
  verifiedEvent,
} from "../../support/aws-events/api-gateway.ts";
import { testDeps } from "../../support/deps.ts";

const path = "/api/fulfillment/v1/clusters";

/** As API Gateway makes it; where its authorizer has verified a token, with what it says of the claims. */
const event = ({ token, verified }: { token?: string; verified?: object } = {}) =>
  gatewayEvent({
    path,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    ...(verified && { authorizer: { jwt: { claims: passedOn(verified), scopes: null } } }),
  });

/** A request with a token that the gateway has verified. */
const verified = (claims: object) => verifiedEvent(claims, { path });

const iss = "https://login.example.com";
const nobody = async () => {
  throw new AppError("Unauthenticated", "the token is not valid");
};

function handlerOf(options: Partial<IssuerOptions> = {}, verify: () => Promise<never> = nobody) {
  const issuers = [{ issuer: iss, audiences: ["slipway"], ...options }];
  return apiHandler(families, testDeps(), { profile: "slipway", issuers, verify });
}

const empty = { statusCode: 200, body: '{"size":0,"total":0,"items":[]}' };

describe("a token that API Gateway has verified", () => {
  const ann = { iss, sub: "ann", tenant: "t", roles: ["tenant-user"], exp: 1_700_000_000 };

  it("says who is calling", async () => {
    const handler = handlerOf();
    expect(await handler(verified(ann))).toMatchObject(empty);
    expect(await handler(event())).toMatchObject({ statusCode: 401 });
    const other = { ...ann, iss: "https://login.example.org" };
    expect(await handler(verified(other))).toMatchObject({ statusCode: 401 });
  });

  it("is read by the names of the stage, and no others in their place", async () => {
    const handler = handlerOf({ claims: { user: "email", tenant: "org", roles: "groups" } });
    const own = { iss, email: "ann@example.com", org: "t", groups: ["tenant-user"] };
    expect(await handler(verified(own))).toMatchObject(empty);
    expect(await handler(verified(ann))).toMatchObject({ statusCode: 401 });
  });

  it("has its lists and objects, which the gateway passes on as text", async () => {
    const handler = handlerOf({ claims: { roles: "resource_access.slipway.roles" } });
    const resource_access = { slipway: { roles: ["tenant-user"] }, account: { roles: ["x"] } };
    const claims = { iss, sub: "ann", organization: { t: { id: "7" } }, resource_access };
    expect(await handler(verified(claims))).toMatchObject(empty);
  });

  it("gives no role by a name that looks like others in the gateway's text", async () => {
    const handler = handlerOf({ groups: { Admins: ["provider-admin"] } });
    const asking = (groups: string[]) => {
      const asked = verified({ iss, sub: "ann", tenant: "t", groups });
      return handler({ ...asked, rawPath: "/api/private/v1/tenants" } as LambdaEvent);
    };
    expect(await asking(["Admins"])).toMatchObject({ statusCode: 200 });
    expect(await asking(["Cloud Admins"])).toMatchObject({ statusCode: 403 });
  });

  it("is the one in the header, or nobody is calling", async () => {
    const handler = handlerOf();
    const bob = tokenOf({ ...ann, sub: "bob" });
    for (const token of [bob, tokenOf(ann).replace(".", ".x"), "a.b", "a.bnVsbA.c", `${bob}.d`, ""])
      expect(await handler(event({ token, verified: ann }))).toMatchObject({ statusCode: 401 });
    expect(await handler(event({ verified: ann }))).toMatchObject({ statusCode: 401 });
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

describe("the address in an audit entry", () => {
  const viewer = "198.51.100.7";
  const gateway = "205.255.255.176";
  const admin = { iss, sub: "root", roles: ["provider-admin"], exp: 1_700_000_000 };

  /** What the audit has of a change that is asked for with these headers, by a stage with a console or without. */
  async function sourceWith(headers: Record<string, string>, consoleProof?: string) {
    const issuers = [{ issuer: iss, audiences: ["slipway"] }];
    const options = { profile: "slipway", issuers, verify: nobody, consoleProof } as const;
    const handler = apiHandler(families, testDeps(), options);
    const asked = { path: "/api/private/v1/tenants", method: "POST", headers, body: "{}" };
    await handler(verifiedEvent(admin, asked));
    const path = "/api/private/v1/audit_entries";
    const answer = await handler(verifiedEvent(admin, { path, query: "tenant=shared" }));
    const { body } = answer as { body: string };
    return JSON.parse(body).items.map(({ source }: { source: string }) => source);
  }

  it("is the browser's behind the console's CloudFront", async () => {
    const headers = { "X-Slipway-Viewer": viewer, "X-Slipway-Console": "proof" };
    expect(await sourceWith(headers, "proof")).toEqual([viewer]);
  });

  it.each([
    ["nothing proves it", { "X-Slipway-Viewer": viewer }, "proof"],
    ["the proof is another", { "X-Slipway-Viewer": viewer, "X-Slipway-Console": "p" }, "proof"],
    ["there is no console", { "X-Slipway-Viewer": viewer, "X-Slipway-Console": "" }, undefined],
    ["it is said otherwise", { "X-Forwarded-For": viewer, "X-Slipway-Console": "proof" }, "proof"],
  ])("is the one that the gateway saw where %s", async (_, headers, proof) => {
    expect(await sourceWith(headers as never, proof)).toEqual([gateway]);
  });
});
