import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import { authorizer } from "../../functions/authorizer.ts";
import type { IssuerOptions } from "../../functions/identity/issuers.ts";
import { principalBy } from "../../functions/identity/verdict.ts";
import { verifier } from "../../functions/identity/verify.ts";
import { authorizerEvent } from "../support/aws-events/api-gateway.ts";
import { FakeIssuer, fetchFrom } from "../support/oidc.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

async function setUp(options: Partial<IssuerOptions> = {}) {
  const clock = new VirtualClock();
  const issuer = new FakeIssuer("https://id.inside.example", clock);
  await issuer.turn("one");
  const issuers = [{ issuer: issuer.url, audiences: ["slipway"], ...options }];
  const handler = authorizer(verifier({ wall: clock, fetch: fetchFrom(issuer) }, issuers));
  const ask = (header: string) => handler(authorizerEvent(header, "/api/fulfillment/v1/clusters"));
  const verdict = async (token: string) => {
    const { isAuthorized, context } = await ask(`Bearer ${token}`);
    expect(isAuthorized).toBe(true);
    return context.verdict;
  };
  return { clock, issuer, handler, ask, verdict };
}

it("the authorizer tells the API whose token it is", async () => {
  const { issuer, verdict } = await setUp();
  expect(principalBy(await verdict(await issuer.token()))).toEqual({
    user: "ann",
    tenant: "tenant-a",
    roles: ["tenant-user"],
  });
  const grouped = await issuer.token({ groups: ["ops"] });
  expect(principalBy(await verdict(grouped))).toMatchObject({ groups: ["ops"] });
  const agent = await issuer.token({ sub: "hub:eu-1", roles: ["agent"], tenant: undefined });
  expect(principalBy(await verdict(agent))).toMatchObject({ roles: ["agent"], hub: "eu-1" });
});

it("it tells of whom that their issuer makes nobody the provider's", async () => {
  const { issuer, verdict } = await setUp({ tenants: ["tenant-a"] });
  expect(principalBy(await verdict(await issuer.token()))).toMatchObject({ isRestricted: true });
});

it("it tells why a token is not good, and that its issuer does not answer", async () => {
  const { clock, issuer, verdict } = await setUp();
  const token = await issuer.token();
  await clock.advance(minutes(5));
  const old = await verdict(token);
  expect(() => principalBy(old)).toThrow(AppError);
  expect(JSON.parse(old)).toEqual({ kind: "Unauthenticated", message: "the token has expired" });
  await issuer.turn("two");
  issuer.instead = () => ({ status: 503, body: "" });
  await clock.advance(minutes(90));
  expect(JSON.parse(await verdict(await issuer.token()))).toMatchObject({ kind: "Unavailable" });
});

it("what is no bearer token goes no further", async () => {
  const { ask, handler } = await setUp();
  expect(await ask("Basic YTpi")).toMatchObject({ isAuthorized: false });
  await expect(handler({ identitySource: [] })).rejects.toThrow();
});
