// Starts Scalar on the page, logs people in, and asks before something is deleted.

const place = "/docs";
const client = "slipway-docs";
const issuer = document.querySelector('meta[name="issuer"]')?.content;
const element = (id) => document.getElementById(id);

/** Storage of this tab only, which ends with it. */
const kept = {
  get: (name) => JSON.parse(sessionStorage.getItem(`slipway.${name}`) ?? "null"),
  put: (name, value) => sessionStorage.setItem(`slipway.${name}`, JSON.stringify(value)),
  remove: (name) => sessionStorage.removeItem(`slipway.${name}`),
};

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

async function discovered() {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
  return answer.json();
}

/** Goes to the issuer, which sends the browser back here with a code (RFC 7636). */
async function logIn() {
  const { authorization_endpoint } = await discovered();
  const verifier = randomText();
  const state = randomText();
  kept.put("login", { verifier, state, hash: location.hash });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  location.assign(
    `${authorization_endpoint}?${new URLSearchParams({
      response_type: "code",
      client_id: client,
      redirect_uri: location.origin + place,
      scope: "openid",
      state,
      code_challenge: base64url(digest),
      code_challenge_method: "S256",
    })}`,
  );
}

/** Exchanges the code in the address, if it answers our own request. */
async function comeBack() {
  const said = new URLSearchParams(location.search);
  const login = kept.get("login");
  if (!said.has("state")) return;
  kept.remove("login");
  history.replaceState(null, "", place + (login?.hash ?? ""));
  if (said.get("state") !== login?.state || !said.has("code")) return;
  const { token_endpoint } = await discovered();
  const answer = await fetch(token_endpoint, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: client,
      redirect_uri: location.origin + place,
      code: said.get("code"),
      code_verifier: login.verifier,
    }),
  });
  if (!answer.ok) return;
  const { access_token: token, expires_in: seconds } = await answer.json();
  kept.put("token", { token, ends: Date.now() + seconds * 1000 });
}

/** The valid token; undefined when not logged in (any more). */
function tokenNow() {
  const { token, ends } = kept.get("token") ?? {};
  return ends > Date.now() ? token : undefined;
}

function nameIn(token) {
  const bytes = atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"));
  const claims = JSON.parse(decodeURIComponent(escape(bytes)));
  return claims.preferred_username ?? claims.sub;
}

/** Asks the person to confirm. */
function asks(target) {
  const dialog = element("question");
  element("target").textContent = `DELETE ${target}`;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

const send = window.fetch;
window.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { method, url } = request;
  const { pathname, searchParams } = new URL(url);
  if (method === "DELETE" && searchParams.get("dry_run") !== "true" && !(await asks(pathname)))
    throw new DOMException("It was not sent: you chose to keep it.", "AbortError");
  return send(request);
};

// The login failed: show its button again.
if (issuer) await comeBack().catch(() => undefined);
const token = tokenNow();
element("login").hidden = !issuer || token !== undefined;
element("logout").hidden = token === undefined;
if (token) element("who").textContent = nameIn(token);
element("login").addEventListener("click", () => void logIn());
element("logout").addEventListener("click", () => {
  kept.remove("token");
  location.reload();
});

window.Scalar.createApiReference("#reference", {
  url: `${place}/openapi.json`,
  favicon: `${place}/assets/icon.svg`,
  metaData: { title: "Slipway API" },
  authentication: {
    preferredSecurityScheme: "bearer",
    securitySchemes: { bearer: { token: token ?? "" } },
  },
  // Stores nothing beyond the tab, and sends nothing to other servers.
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  orderSchemaPropertiesBy: "preserve",
  hideClientButton: true,
  showDeveloperTools: "never",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});
