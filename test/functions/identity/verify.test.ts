import { exportSPKI, generateKeyPair, importJWK, SignJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import type { HttpFetch } from "../../../core/http.ts";
import { type Verify, verifier } from "../../../functions/identity/verify.ts";
import { FakeIssuer, fetchFrom } from "../../support/oidc.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

let clock: VirtualClock;
let corporate: FakeIssuer;
let customer: FakeIssuer;
let verify: Verify;
beforeEach(async () => {
  clock = new VirtualClock();
  corporate = new FakeIssuer("https://login.example.com/realms/cloud", clock);
  customer = new FakeIssuer("https://id.customer.example", clock);
  await corporate.turn("c1");
  await customer.turn("k1", { alg: "ES256" });
  verify = verifier({ wall: clock, fetch: fetchFrom(corporate, customer) }, [
    { issuer: corporate.url, audiences: ["slipway", "portal"] },
    { issuer: customer.url, audiences: ["slipway"], tenants: ["customer"], userPrefix: "c:" },
  ]);
});

const ann = { user: "ann", tenant: "tenant-a", roles: ["tenant-user"] };
const now = () => Math.floor(clock.now() / 1000);
const invalid = { kind: "Unauthenticated", message: "the token is not valid" };
const unreachable = { kind: "Unavailable", retryable: true };

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

describe("a token", () => {
  it("is taken from any of the issuers, each with its own keys, algorithm and meaning", async () => {
    expect(await verify(await corporate.token())).toEqual(ann);
    expect(await verify(await corporate.token({ aud: ["other", "portal"] }))).toEqual(ann);
    const claims = { tenant: undefined, roles: ["tenant-admin", "provider-admin"] };
    expect(await verify(await customer.token(claims))).toEqual({
      user: "c:ann",
      tenant: "customer",
      roles: ["tenant-admin"],
      isRestricted: true,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["for somebody else", { aud: "other" }],
    ["for nobody", { aud: undefined }],
    ["of an issuer that nobody knows", { iss: "https://login.example.org" }],
    ["of an issuer by almost the same name", { iss: "https://login.example.com/realms/cloud/" }],
    ["of an issuer in capitals", { iss: "https://LOGIN.example.com/realms/cloud" }],
    ["of no issuer", { iss: undefined }],
    ["without an end", { exp: undefined }],
    ["whose end is no time", { exp: "tomorrow" }],
  ])("%s is refused", async (_, claims) => {
    await expect(verify(await corporate.token(claims))).rejects.toMatchObject(invalid);
  });

  it("that is no token is refused, and nobody is asked", async () => {
    const claims = { iss: corporate.url, aud: "slipway", sub: "root", exp: now() + 60 };
    const body = encoded({ ...claims, roles: ["provider-admin"] });
    for (const token of [
      "",
      "x",
      "a.b.c",
      "x".repeat(20_000),
      `${encoded({ alg: "none" })}.${body}.`,
      `${encoded({ alg: "nOnE" })}.${body}.`,
      `${encoded({ alg: "HS256", kid: "c1" })}.${body}.${encoded({})}`,
      `${encoded({ alg: "PS256", kid: "c1" })}.${body}.${encoded({})}`,
      `${encoded({ kid: "c1" })}.${body}.`,
    ])
      await expect(verify(token), token.slice(0, 50)).rejects.toMatchObject(invalid);
    expect(corporate.asked).toEqual([]);
  });

  it("of 16,384 characters or less is read, and a longer one is refused", async () => {
    const padded = async (length: number) => corporate.token({ pad: "x".repeat(length) });
    const [bare, more] = [(await padded(0)).length, (await padded(3)).length];
    expect(more - bare).toBe(4);
    const most = 3 * Math.floor((16_384 - bare) / 4);
    expect(await verify(await padded(most))).toEqual(ann);
    await expect(verify(await padded(most + 3))).rejects.toMatchObject(invalid);
  });

  it("signed with the public key as a shared secret is refused", async () => {
    const key = await importJWK(corporate.jwks[0] ?? {}, "RS256", { extractable: true });
    if (key instanceof Uint8Array) throw new Error("the issuer's key is no RSA key");
    const token = await new SignJWT({ sub: "root", roles: ["provider-admin"] })
      .setProtectedHeader({ alg: "HS256", kid: "c1" })
      .setIssuer(corporate.url)
      .setAudience("slipway")
      .setExpirationTime(now() + 60)
      .sign(new TextEncoder().encode(await exportSPKI(key)));
    await expect(verify(token)).rejects.toMatchObject(invalid);
  });

  it("of one issuer's key in another's name is refused", async () => {
    await expect(verify(await customer.token({ iss: corporate.url }))).rejects.toMatchObject(
      invalid,
    );
    await customer.turn("c1");
    await expect(verify(await customer.token({ iss: corporate.url }))).rejects.toMatchObject(
      invalid,
    );
    expect(await verify(await customer.token({ tenant: undefined }))).toMatchObject({
      tenant: "customer",
    });
  });

  it("with the algorithm of another key is refused", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const token = await new SignJWT({ sub: "root", roles: ["provider-admin"] })
      .setProtectedHeader({ alg: "ES256", kid: "c1" })
      .setIssuer(corporate.url)
      .setAudience("slipway")
      .setExpirationTime(now() + 60)
      .sign(privateKey);
    await expect(verify(token)).rejects.toMatchObject(invalid);
  });

  it("that was changed after it was signed is refused", async () => {
    const [head, , seal] = (await corporate.token()).split(".");
    const claims = { iss: corporate.url, aud: "slipway", sub: "root", exp: now() + 60 };
    const body = encoded({ ...claims, roles: ["provider-admin"] });
    await expect(verify(`${head}.${body}.${seal}`)).rejects.toMatchObject(invalid);
  });

  it.each<[string, Record<string, unknown>]>([
    ["nobody", { sub: undefined }],
    ["a tenant that its issuer has not", { tenant: "tenant-b" }],
    ["the shared tenant", { tenant: "shared" }],
  ])("that names %s is refused", async (_, claims) => {
    const issuer = claims.tenant === "tenant-b" ? customer : corporate;
    await expect(verify(await issuer.token(claims))).rejects.toMatchObject({
      kind: "Unauthenticated",
      message: "the token names no user of this deployment",
    });
  });
});

describe("clocks may be a minute apart", () => {
  it.each<[Record<string, number>, boolean]>([
    [{ exp: 1 }, true],
    [{ exp: -59 }, true],
    [{ exp: -60 }, false],
    [{ nbf: 60 }, true],
    [{ nbf: 61 }, false],
    [{ nbf: -1000 }, true],
  ])("%j seconds from now: %s", async (times, good) => {
    const claims = Object.fromEntries(Object.entries(times).map(([k, s]) => [k, now() + s]));
    const verified = verify(await corporate.token(claims));
    if (good) expect(await verified).toEqual(ann);
    else await expect(verified).rejects.toMatchObject({ kind: "Unauthenticated" });
  });

  it("and one that is over says so", async () => {
    await expect(verify(await corporate.token({ exp: now() - 60 }))).rejects.toMatchObject({
      message: "the token has expired",
    });
  });
});

describe("keys", () => {
  it("are read once for many requests", async () => {
    const token = await corporate.token();
    await Promise.all(Array.from({ length: 50 }, () => verify(token)));
    await verify(token);
    expect(corporate.asked).toEqual(["/.well-known/openid-configuration", "/keys"]);
  });

  it("that turn are found at once, and the old ones end with what was published", async () => {
    const old = await corporate.token({ exp: now() + 3600 });
    await verify(old);
    await clock.advance(30_000);
    await corporate.turn("c2", { published: ["c1", "c2"] });
    const fresh = await corporate.token();
    await Promise.all(Array.from({ length: 20 }, () => verify(fresh)));
    expect(corporate.asked.filter((path) => path === "/keys")).toHaveLength(2);
    await verify(old);
    corporate.published = ["c2"];
    await clock.advance(10 * 60_000);
    await expect(verify(old)).rejects.toMatchObject(invalid);
  });

  it("that nobody knows are looked for every half minute at most", async () => {
    await corporate.turn("c2", { published: ["c1"] });
    const unknown = await corporate.token({ exp: now() + 3600 });
    for (let n = 0; n < 60; n++) {
      await expect(verify(unknown)).rejects.toMatchObject(invalid);
      await clock.advance(1000);
    }
    expect(corporate.asked.filter((path) => path === "/keys")).toHaveLength(2);
  });

  it("that are weak or not for signing do not count", async () => {
    corporate.instead = (url) =>
      url.endsWith("/keys")
        ? {
            status: 200,
            body: JSON.stringify({
              keys: [...corporate.jwks.map((jwk) => ({ ...jwk, use: "enc" })), { kty: "oct" }],
            }),
          }
        : undefined;
    await expect(verify(await corporate.token())).rejects.toMatchObject(invalid);
  });
});

describe("an issuer that cannot be asked", () => {
  it.each<[string, (url: string) => { status: number; body: string } | undefined]>([
    [
      "does not answer",
      () => {
        throw new Error("no way there");
      },
    ],
    ["fails", () => ({ status: 500, body: "" })],
    ["sends us elsewhere", () => ({ status: 302, body: "" })],
    ["says nonsense", () => ({ status: 200, body: "<html>" })],
    [
      "says it is another",
      () => ({
        status: 200,
        body: JSON.stringify({ issuer: customer.url, jwks_uri: `${customer.url}/keys` }),
      }),
    ],
    [
      "has its keys in the clear",
      () => ({
        status: 200,
        body: JSON.stringify({ issuer: corporate.url, jwks_uri: "http://login.example.com/keys" }),
      }),
    ],
    ["has no keys", (url) => (url.endsWith("/keys") ? { status: 200, body: "{}" } : undefined)],
  ])("and %s makes its tokens unknown, not bad, and nobody else's", async (_, instead) => {
    corporate.instead = instead;
    await expect(verify(await corporate.token())).rejects.toMatchObject(unreachable);
    expect(await verify(await customer.token({ tenant: undefined }))).toMatchObject({
      user: "c:ann",
    });
    const forged = await corporate.token({ aud: "other" });
    await expect(verify(forged)).rejects.toMatchObject(unreachable);
    // It is not asked by every request.
    const before = corporate.asked.length;
    await expect(verify(await corporate.token())).rejects.toMatchObject(unreachable);
    expect(corporate.asked.length).toBe(before);
    corporate.instead = undefined;
    await clock.advance(4999);
    await expect(verify(await corporate.token())).rejects.toMatchObject(unreachable);
    expect(corporate.asked.length).toBe(before);
    await clock.advance(1);
    expect(await verify(await corporate.token())).toEqual(ann);
  });

  it("is waited for no longer than five seconds", async () => {
    const issuers = [{ issuer: corporate.url, audiences: ["slipway"] }];
    const silent: HttpFetch = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    let refused: unknown;
    const asking = verifier({ wall: clock, fetch: silent }, issuers)(await corporate.token());
    const done = asking.catch((error) => {
      refused = error;
    });
    await clock.advance(4999);
    expect(refused).toBeUndefined();
    await clock.advance(1);
    await done;
    expect(refused).toMatchObject(unreachable);
  });

  it("stops nobody whose key is known, for an hour", async () => {
    const token = await corporate.token({ exp: now() + 7200 });
    await verify(token);
    corporate.instead = () => ({ status: 503, body: "" });
    await clock.advance(59 * 60_000);
    expect(await verify(token)).toEqual(ann);
    await clock.advance(60_000);
    await expect(verify(token)).rejects.toMatchObject(unreachable);
  });

  it("leaves a key that is not known unknown", async () => {
    await verify(await corporate.token());
    await clock.advance(30_000);
    await corporate.turn("c2");
    corporate.instead = () => ({ status: 503, body: "" });
    await expect(verify(await corporate.token())).rejects.toMatchObject(unreachable);
  });
});
