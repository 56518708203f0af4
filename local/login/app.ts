import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { cors } from "hono/cors";
import { type Clock, hours, minutes, systemClock } from "../../core/clock.ts";
import type { Issuer } from "../issuer.ts";
import { type Person, people } from "../people.ts";
import { Devices } from "./devices.ts";
import { Kept } from "./kept.ts";
import { clients, deviceGrant, discovery, paths, scopes, silently } from "./metadata.ts";
import { choicePage, headersOf, messagePage, userCodePage } from "./page.ts";
import { type CodeLogin, Tokens } from "./tokens.ts";

/**
 * Login and logout on a laptop: authorization code with PKCE, device flow, refresh, revocation. People choose their
 * identity; there are no passwords. All other requests go to the rest of the issuer. Written by hand: oidc-provider
 * never answers `slow_down` to a device, and brings Koa, cookies and the system's clock.
 */
export function loginApp(issuer: Issuer, wall: Clock = systemClock): Hono {
  const app = new Hono();
  const tokens = new Tokens(issuer, wall);
  const devices = new Devices(wall);
  /**
   * The forms that were shown. A page of another site cannot submit one, because it does not know the form's
   * secret name.
   */
  const forms = new Kept<Omit<CodeLogin, "person"> & { state: string }>(wall, minutes(10));
  const deviceForms = new Kept<string>(wall, minutes(10));
  /** Who is logged in with a browser, for requests with `prompt=none`. */
  const logins = new Kept<Person>(wall, hours(12));

  const { host } = new URL(issuer.url);
  for (const path of Object.values(paths))
    app.use(path, async (c, next) => {
      // Prevents DNS rebinding: a site whose name resolves to this machine could log in for its visitor.
      if (new URL(c.req.url).host !== host) return refuse(c, "invalid_request");
      return next();
    });

  // The API reference calls these from another port.
  for (const path of [paths.token, discovery])
    app.use(path, cors({ origin: (origin) => (isOfLaptop(origin) ? origin : null) }));

  app.get(paths.authorize, (c) => {
    const { client_id: client = "", redirect_uri: redirect = "" } = c.req.query();
    // Nothing, not even an error, is sent to a redirect address that is not registered for the client.
    if (!URL.canParse(redirect) || !clients.get(client)?.test(redirect))
      return show(
        c,
        messagePage("Login failed", "The client or its redirect_uri is not known."),
        400,
      );
    const wanted = authorizationIn(c.req.query());
    if ("refusal" in wanted) return back(c, issuer, redirect, wanted.refusal);
    if (c.req.query("prompt") === silently) {
      const { state, ...login } = wanted.login;
      const known = logins.get(getCookie(c, loginCookie) ?? "");
      if (!known) return back(c, issuer, redirect, { error: "login_required", state });
      const code = tokens.codes.put({ client, redirect, ...login, person: known });
      return back(c, issuer, redirect, { code, state });
    }
    const request = forms.put({ client, redirect, ...wanted.login });
    const { origin } = new URL(redirect);
    return show(c, choicePage({ action: paths.authorize, request, client, people }), 200, origin);
  });

  app.post(paths.authorize, async (c) => {
    const { request, user } = await formOf(c);
    const form = forms.take(request ?? "");
    const person = people.find(({ name }) => name === user);
    if (!form || !person) return show(c, expired, 400);
    const { state, ...login } = form;
    const name = logins.put(person);
    setCookie(c, loginCookie, name, { httpOnly: true, sameSite: "Lax" });
    return back(c, issuer, form.redirect, { code: tokens.codes.put({ ...login, person }), state });
  });

  app.post(paths.deviceAuthorization, async (c) => {
    const { client_id: client = "", scope } = await formOf(c);
    if (!clients.has(client)) return refuse(c, "invalid_client", 401);
    const begun = devices.begin(client, scopesIn(scope));
    const verification_uri = `${issuer.url}${paths.device}`;
    const verification_uri_complete = `${verification_uri}?user_code=${begun.user_code}`;
    return c.json({ ...begun, verification_uri, verification_uri_complete }, 200, noStore);
  });

  app.get(paths.device, (c) => {
    const code = c.req.query("user_code");
    if (code === undefined) return show(c, userCodePage(paths.device));
    const device = devices.find(code);
    if (!device) return show(c, userCodePage(paths.device, "No device waits with this code."), 400);
    const { client, userCode } = device;
    const request = deviceForms.put(userCode);
    return show(c, choicePage({ action: paths.device, request, client, people, userCode }));
  });

  app.post(paths.device, async (c) => {
    const { request, user, deny } = await formOf(c);
    const userCode = deviceForms.take(request ?? "");
    const person = people.find(({ name }) => name === user);
    if (userCode === undefined || (!person && deny === undefined)) return show(c, expired, 400);
    devices.decide(userCode, deny === undefined ? person : undefined);
    const done = deny === undefined ? `The device is logged in as ${user}.` : "Not logged in.";
    return show(c, messagePage("Done", `${done} You can close this page.`));
  });

  app.post(paths.token, async (c) => {
    const { grant_type, client_id: client = "", ...form } = await formOf(c);
    if (!clients.has(client)) return refuse(c, "invalid_client", 401);
    if (grant_type === deviceGrant) {
      const polled = devices.poll(form.device_code ?? "", client);
      return "error" in polled ? refuse(c, polled.error) : answer(c, await tokens.of(polled));
    }
    if (grant_type === "authorization_code") {
      const { code = "", redirect_uri: redirect = "", code_verifier: verifier = "" } = form;
      return answer(c, await tokens.byCode(code, { client, redirect, verifier }));
    }
    if (grant_type === "refresh_token")
      return answer(c, await tokens.byRefresh(form.refresh_token ?? "", client));
    return refuse(c, "unsupported_grant_type");
  });

  app.post(paths.revoke, async (c) => {
    const { client_id: client = "", token = "" } = await formOf(c);
    if (!clients.has(client)) return refuse(c, "invalid_client", 401);
    tokens.revoke(token, client);
    return c.body(null, 200, noStore);
  });

  app.get(paths.endSession, (c) => {
    const { client_id: client = "", post_logout_redirect_uri: redirect = "" } = c.req.query();
    logins.take(getCookie(c, loginCookie) ?? "");
    deleteCookie(c, loginCookie);
    if (URL.canParse(redirect) && clients.get(client)?.test(redirect))
      return c.redirect(redirect, 303);
    return show(c, messagePage("Done", "Not logged in. You can close this page."));
  });

  app.all("*", (c) => issuer.fetch(c.req.raw));
  return app;
}

const isOfLaptop = (origin: string): boolean =>
  /^http:\/\/(127\.0\.0\.1|localhost):\d+$/.test(origin);

const loginCookie = "slipway-login";
const noStore = { "Cache-Control": "no-store" };
const expired = messagePage("Login failed", "The page is too old, or was used already.");

/** The parameters of an authorization request: response type code, PKCE by S256, and a state. */
function authorizationIn(query: Record<string, string>) {
  const { response_type, scope, nonce, code_challenge: challenge = "" } = query;
  const { state = "", code_challenge_method: method } = query;
  const refused = (error: string): { refusal: Record<string, string> } => ({
    refusal: { error, ...(state !== "" && { state }) },
  });
  if (response_type !== "code") return refused("unsupported_response_type");
  if (state === "" || method !== "S256" || !/^[\w-]{43}$/.test(challenge))
    return refused("invalid_request");
  return { login: { state, challenge, nonce, scope: scopesIn(scope) } };
}

const scopesIn = (scope = ""): string[] => scope.split(" ").filter((name) => scopes.includes(name));

async function formOf(c: Context): Promise<Partial<Record<string, string>>> {
  const form = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
}

function back(
  c: Context,
  { url }: Issuer,
  redirect: string,
  said: Record<string, string>,
): Response {
  const target = new URL(redirect);
  for (const [name, value] of Object.entries({ ...said, iss: url }))
    target.searchParams.set(name, value);
  return c.body(null, 303, { ...noStore, Location: target.href });
}

const show = (
  c: Context,
  page: ReturnType<typeof messagePage>,
  status: 200 | 400 = 200,
  origin?: string,
): Response | Promise<Response> => c.html(page, status, headersOf(origin));

const answer = (c: Context, tokens: object | undefined): Response =>
  tokens ? c.json(tokens, 200, noStore) : refuse(c, "invalid_grant");

const refuse = (c: Context, error: string, status: 400 | 401 = 400): Response =>
  c.json({ error }, status, noStore);
