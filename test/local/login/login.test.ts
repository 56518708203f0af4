import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { localVerifier } from "../../../local/gateway.ts";
import { type Issuer, openIssuer } from "../../../local/issuer.ts";
import { loginApp } from "../../../local/login/app.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

/** A laptop's login, as applications and browsers use it. */

const url = "http://127.0.0.1:1";
const client_id = "slipway-cli";
const redirect_uri = "http://127.0.0.1:8400/callback";
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

let folder: string;
let issuer: Issuer;
let clock: VirtualClock;
let app: ReturnType<typeof loginApp>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "slipway-login-"));
  issuer = await openIssuer({ url, file: join(folder, "issuer.json") });
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  clock = new VirtualClock();
  app = loginApp(issuer, clock);
});

type Form = Record<string, string>;
const get = (path: string, query: Form = {}) =>
  app.request(`${url}${path}?${new URLSearchParams(query)}`);
const post = (path: string, form: Form) =>
  app.request(`${url}${path}`, { method: "POST", body: new URLSearchParams(form) });
/** The hidden member of a page's form. */
const requestIn = (page: string) => /name="request" value="([\w-]+)"/.exec(page)?.[1] ?? "";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
const json = async (response: Response | Promise<Response>): Promise<any> =>
  (await response).json();

it("tells by discovery where everything is", async () => {
  const about = await json(get("/.well-known/openid-configuration"));
  expect(about).toMatchObject({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    device_authorization_endpoint: `${url}/device_authorization`,
    code_challenge_methods_supported: ["S256"],
    grant_types_supported: ["authorization_code", deviceGrant, "refresh_token"],
    revocation_endpoint: `${url}/revoke`,
    end_session_endpoint: `${url}/end_session`,
  });
  expect(await json(get("/.well-known/jwks.json"))).toEqual(issuer.jwks);
});

describe("by the browser", () => {
  const verifier = randomBytes(32).toString("base64url");
  const wish = {
    response_type: "code",
    client_id,
    redirect_uri,
    state: "state-1",
    nonce: "nonce-1",
    scope: "openid profile",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };

  async function codeFor(user: string): Promise<URL> {
    const page = await (await get("/authorize", wish)).text();
    const sent = await post("/authorize", { request: requestIn(page), user });
    expect(sent.status).toBe(303);
    return new URL(sent.headers.get("Location") ?? "");
  }
  const exchange = (code: string, change: Form = {}) =>
    post("/token", {
      ...{ grant_type: "authorization_code", client_id, redirect_uri, code },
      ...{ code_verifier: verifier, ...change },
    });

  it("shows who there is, and nothing from elsewhere", async () => {
    const response = await get("/authorize", wish);
    const page = await response.text();
    for (const name of ["admin", "operator", "tenant-a-user", "tenant-b-member"])
      expect(page).toContain(`value="${name}"`);
    expect(page).not.toContain("<script");
    const policy = response.headers.get("Content-Security-Policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:8400");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it("sends back a code with the state, which becomes a token that the API takes", async () => {
    const back = await codeFor("tenant-a-user");
    expect(back.origin + back.pathname).toBe(redirect_uri);
    const { code = "", ...rest } = Object.fromEntries(back.searchParams);
    expect(rest).toEqual({ state: "state-1", iss: url });
    const tokens = await json(exchange(code));
    expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "openid" });
    expect(await localVerifier(issuer)(tokens.access_token)).toEqual({
      user: "tenant-a-user",
      tenant: "tenant-a",
      roles: ["tenant-admin"],
    });
    const keys = createLocalJWKSet(issuer.jwks);
    const { payload } = await jwtVerify(tokens.id_token, keys, { audience: client_id });
    expect(payload).toMatchObject({ sub: "tenant-a-user", nonce: "nonce-1" });
    // For the application, not for Slipway.
    await expect(localVerifier(issuer)(tokens.id_token)).rejects.toMatchObject({
      kind: "Unauthenticated",
    });
  });

  it.each<[string, Form]>([
    ["with another verifier", { code_verifier: "x".repeat(43) }],
    ["without a verifier", { code_verifier: "" }],
    ["for another place", { redirect_uri: "http://localhost:8400/callback" }],
  ])("gives nothing for a code %s, nor for the code after that", async (_, change) => {
    const code = (await codeFor("admin")).searchParams.get("code") ?? "";
    expect(await json(exchange(code, change))).toEqual({ error: "invalid_grant" });
    expect(await json(exchange(code))).toEqual({ error: "invalid_grant" });
  });

  it("gives tokens for a code once, and within a minute", async () => {
    const code = (await codeFor("admin")).searchParams.get("code") ?? "";
    expect((await exchange(code)).status).toBe(200);
    expect(await json(exchange(code))).toEqual({ error: "invalid_grant" });
    const late = (await codeFor("admin")).searchParams.get("code") ?? "";
    await clock.advance(60_000);
    expect(await json(exchange(late))).toEqual({ error: "invalid_grant" });
  });

  it.each<[string, Form]>([
    ["an unknown client", { client_id: "other" }],
    ["another path", { redirect_uri: `${redirect_uri}/` }],
    ["a longer place", { redirect_uri: `${redirect_uri}?next=1` }],
    ["another port", { redirect_uri: "http://127.0.0.1:8401/callback" }],
    ["another host", { redirect_uri: "http://127.0.0.1.example.com:8400/callback" }],
    ["no place", { redirect_uri: "" }],
    ["no URL", { client_id: "slipway-console", redirect_uri: "http://127.0.0.1:99999999/" }],
    [
      "a port beyond the last",
      { client_id: "slipway-docs", redirect_uri: "http://localhost:65536/docs" },
    ],
  ])("sends nobody to %s", async (_, change) => {
    const response = await get("/authorize", { ...wish, ...change });
    expect(response.status).toBe(400);
    expect(response.headers.get("Location")).toBeNull();
  });

  it.each<[string, Form, string]>([
    ["a token at once", { response_type: "token" }, "unsupported_response_type"],
    ["no PKCE", { code_challenge: "", code_challenge_method: "" }, "invalid_request"],
    ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["a challenge that is none", { code_challenge: "short" }, "invalid_request"],
    ["no state", { state: "" }, "invalid_request"],
  ])("refuses %s by way of the application", async (_, change, error) => {
    const response = await get("/authorize", { ...wish, ...change });
    const back = new URL(response.headers.get("Location") ?? "");
    expect(back.origin + back.pathname).toBe(redirect_uri);
    expect(back.searchParams.get("error")).toBe(error);
    expect(back.searchParams.get("state")).toBe(change.state === "" ? null : "state-1");
  });

  it("takes a form that it has shown, once, and nobody it does not know", async () => {
    const shown = async () => requestIn(await (await get("/authorize", wish)).text());
    expect((await post("/authorize", { request: "made-up", user: "admin" })).status).toBe(400);
    expect((await post("/authorize", { request: await shown(), user: "eve" })).status).toBe(400);
    const request = await shown();
    expect((await post("/authorize", { request, user: "admin" })).status).toBe(303);
    expect((await post("/authorize", { request, user: "admin" })).status).toBe(400);
  });

  it("gives new tokens for a refresh token, once", async () => {
    const code = (await codeFor("operator")).searchParams.get("code") ?? "";
    const { access_token, refresh_token } = await json(exchange(code));
    const refresh = (token: string) =>
      post("/token", { grant_type: "refresh_token", client_id, refresh_token: token });
    const next = await json(refresh(refresh_token));
    expect(next.access_token).not.toBe(access_token);
    expect(await localVerifier(issuer)(next.access_token)).toMatchObject({ user: "operator" });
    const third = await json(refresh(next.refresh_token));
    expect((await refresh(third.refresh_token)).status).toBe(200);
  });

  it("ends all refresh tokens of a login when one comes twice, and those of no other login", async () => {
    const login = async () =>
      json(exchange((await codeFor("operator")).searchParams.get("code") ?? ""));
    const [first, other] = [await login(), await login()];
    const refresh = (token: string) =>
      post("/token", { grant_type: "refresh_token", client_id, refresh_token: token });
    const second = await json(refresh(first.refresh_token));
    const third = await json(refresh(second.refresh_token));
    expect(await json(refresh(first.refresh_token))).toEqual({ error: "invalid_grant" });
    for (const token of [first, second, third])
      expect(await json(refresh(token.refresh_token))).toEqual({ error: "invalid_grant" });
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  it("logs out to no address that is none", async () => {
    const post_logout_redirect_uri = "http://127.0.0.1:99999999/";
    for (const client of [client_id, "slipway-console", "slipway-docs"]) {
      const ended = await get("/end_session", { client_id: client, post_logout_redirect_uri });
      expect(ended.status).toBe(200);
    }
  });

  it("takes a refresh token back of the client that has it", async () => {
    const code = (await codeFor("admin")).searchParams.get("code") ?? "";
    const { refresh_token: token } = await json(exchange(code));
    const refreshed = () =>
      post("/token", { grant_type: "refresh_token", client_id, refresh_token: token });
    expect((await post("/revoke", { client_id: "x", token })).status).toBe(401);
    expect((await post("/revoke", { client_id: "slipway-docs", token })).status).toBe(200);
    expect((await post("/revoke", { client_id, token })).status).toBe(200);
    expect(await json(refreshed())).toEqual({ error: "invalid_grant" });
  });

  it("knows nobody any more who has logged out, and sends them back to the client alone", async () => {
    const page = await (await get("/authorize", wish)).text();
    const sent = await post("/authorize", { request: requestIn(page), user: "admin" });
    const cookie = (sent.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
    const asked = async (path: string, query: Form) =>
      app.request(`${url}${path}?${new URLSearchParams(query)}`, { headers: { cookie } });
    const silently = async () => {
      const answer = await asked("/authorize", { ...wish, prompt: "none" });
      return new URL(answer.headers.get("Location") ?? "").searchParams;
    };
    expect((await silently()).get("code")).toMatch(/./);
    const elsewhere = { client_id, post_logout_redirect_uri: "https://elsewhere.example/" };
    expect((await asked("/end_session", elsewhere)).status).toBe(200);
    expect((await silently()).get("error")).toBe("login_required");
    const home = { client_id, post_logout_redirect_uri: redirect_uri };
    expect((await asked("/end_session", home)).headers.get("Location")).toBe(redirect_uri);
  });
});

describe("by a device", () => {
  const begin = () => json(post("/device_authorization", { client_id, scope: "openid" }));
  const poll = async (device_code: string) => {
    const response = await post("/token", { grant_type: deviceGrant, client_id, device_code });
    return { status: response.status, body: await json(response) };
  };
  const decide = async (user_code: string, decision: Form) => {
    const page = await (await get("/device", { user_code })).text();
    return post("/device", { request: requestIn(page), ...decision });
  };

  it("waits until somebody logs in with its code, typed as people type", async () => {
    const device = await begin();
    expect(device).toMatchObject({
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${url}/device`,
      verification_uri_complete: `${url}/device?user_code=${device.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const pending = { status: 400, body: { error: "authorization_pending" } };
    expect(await poll(device.device_code)).toEqual(pending);
    expect(await (await get("/device")).text()).toContain('name="user_code"');
    const typed = device.user_code.toLowerCase().replace("-", " ");
    expect((await decide(typed, { user: "tenant-b-user" })).status).toBe(200);
    await clock.advance(5000);
    const { status, body } = await poll(device.device_code);
    expect(status).toBe(200);
    expect(await localVerifier(issuer)(body.access_token)).toMatchObject({ tenant: "tenant-b" });
    await clock.advance(5000);
    expect((await poll(device.device_code)).body).toEqual({ error: "expired_token" });
    expect((await get("/device", { user_code: device.user_code })).status).toBe(400);
  });

  it("is told to slow down when it asks too often", async () => {
    const { device_code } = await begin();
    await poll(device_code);
    expect((await poll(device_code)).body).toEqual({ error: "slow_down" });
    await clock.advance(9000);
    expect((await poll(device_code)).body).toEqual({ error: "slow_down" });
    await clock.advance(15_000);
    expect((await poll(device_code)).body).toEqual({ error: "authorization_pending" });
  });

  it("can be refused, and waits ten minutes at most", async () => {
    const first = await begin();
    await decide(first.user_code, { deny: "yes" });
    expect((await poll(first.device_code)).body).toEqual({ error: "access_denied" });
    const second = await begin();
    await clock.advance(600_000);
    expect((await poll(second.device_code)).body).toEqual({ error: "expired_token" });
    expect((await get("/device", { user_code: second.user_code })).status).toBe(400);
  });

  it("is logged in by nobody's page but ours", async () => {
    const device = await begin();
    const forged = { user_code: device.user_code, user: "admin" };
    expect((await post("/device", forged)).status).toBe(400);
    expect((await decide(device.user_code, { user: "eve" })).status).toBe(400);
    expect((await poll(device.device_code)).body).toEqual({ error: "authorization_pending" });
    const rebound = "http://evil.example.com:1/device_authorization";
    const body = new URLSearchParams({ client_id });
    expect((await app.request(rebound, { method: "POST", body })).status).toBe(400);
  });
});

it.each<[string, Form, number, string]>([
  ["an unknown client", { grant_type: "refresh_token", client_id: "x" }, 401, "invalid_client"],
  ["a password", { grant_type: "password", client_id }, 400, "unsupported_grant_type"],
  ["a code that is none", { grant_type: "authorization_code", client_id }, 400, "invalid_grant"],
  ["a device that is none", { grant_type: deviceGrant, client_id }, 400, "expired_token"],
])("the token endpoint refuses %s", async (_, form, status, error) => {
  const response = await post("/token", form);
  expect(response.status).toBe(status);
  expect(await json(response)).toEqual({ error });
  expect(response.headers.get("Cache-Control")).toBe("no-store");
});

it("writes names into its page as text", async () => {
  const page = await (await get("/device", { user_code: "<script>alert(1)</script>" })).text();
  expect(page).not.toContain("<script");
});
