import { type Context, Hono } from "hono";
import type { SimulatedKeystone, Token } from "./keystone.ts";
import { expecting, KeystoneFault, unauthorized } from "./keystone-error.ts";
import { loggedIn } from "./keystone-login.ts";
import { rolesOf } from "./policy.ts";
import { project } from "./state.ts";

const region = "RegionOne";
const domain = { id: "default", name: "Default" };

/** The part of Keystone v3 that a client with an application credential uses. */
export function keystoneApi(keystone: SimulatedKeystone): Hono {
  const app = new Hono();
  const asker = (c: Context): Token => {
    const found = keystone.valid(c.req.header("x-auth-token"));
    if (!found) throw unauthorized();
    return found;
  };
  const subject = (c: Context): Token => {
    const token = c.req.header("x-subject-token");
    if (token === undefined) throw new KeystoneFault(404, "No token in the request");
    const found = keystone.valid(token);
    if (found) return found;
    const isOne = token.startsWith("gAAAAA");
    const message = isOne ? "Failed to validate token" : "Could not recognize Fernet token";
    throw new KeystoneFault(404, message);
  };

  for (const path of ["/", "/v3", "/v3/"] as const)
    app.get(path, (c) => {
      const version = versionAt(originOf(c));
      return path === "/" ? c.json({ versions: { values: [version] } }, 300) : c.json({ version });
    });

  app.post("/v3/auth/tokens", async (c) => {
    const credential = loggedIn(keystone, await bodyOf(c.req.raw));
    return tokenResponse(c, keystone.issue(credential), 201);
  });
  app.get("/v3/auth/tokens", (c) => {
    asker(c);
    return tokenResponse(c, subject(c), 200);
  });
  app.delete("/v3/auth/tokens", (c) => {
    // Like Keystone, checks the token in question before the caller's rights.
    const { token } = subject(c);
    asker(c);
    keystone.revoke(token);
    return c.body(null, 204);
  });
  app.all("/v3/auth/tokens", (c) =>
    c.json({ message: "The method is not allowed for the requested URL." }, 405),
  );
  app.get("/v3/auth/catalog", (c) => {
    asker(c);
    return c.json({ catalog: catalogAt(originOf(c)), links: { self: c.req.url } });
  });
  return app;
}

export const originOf = (c: Context): string => new URL(c.req.url).origin;

function tokenResponse(c: Context, { token, credential, issued, until }: Token, status: 200 | 201) {
  const { id, name, user, roles, isUnrestricted, accessRules } = credential;
  const body = {
    methods: ["application_credential"],
    issued_at: microseconds(issued),
    expires_at: microseconds(until),
    project: { id: project, name: "slipway", domain },
    is_domain: false,
    user: { id: user, name: user, domain, password_expires_at: null },
    roles: rolesOf(roles).map((role) => ({ id: role, name: role })),
    ...(c.req.query("nocatalog") === undefined && { catalog: catalogAt(originOf(c)) }),
    application_credential: {
      id,
      name,
      restricted: !isUnrestricted,
      ...(accessRules && { access_rules: accessRules }),
    },
  };
  return c.json({ token: body }, status, { "x-subject-token": token });
}

function catalogAt(origin: string) {
  const endpoints = (service: string, url: string) =>
    ["admin", "internal", "public"].map((name) => ({
      interface: name,
      region,
      region_id: region,
      url,
      id: `${name}-${service}`,
    }));
  return [
    {
      id: "identity",
      type: "identity",
      name: "keystone",
      endpoints: endpoints("identity", `${origin}/v3`),
    },
    { id: "network", type: "network", name: "neutron", endpoints: endpoints("network", origin) },
  ];
}

const versionAt = (origin: string) => ({
  id: "v3.14",
  status: "stable",
  updated: "2020-04-07T00:00:00Z",
  links: [{ rel: "self", href: `${origin}/v3/` }],
  "media-types": [{ base: "application/json", type: "application/vnd.openstack.identity-v3+json" }],
});

async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text === "") return undefined;
  if (!request.headers.get("content-type")?.startsWith("application/json"))
    throw expecting("application/json", "Content-Type header");
  try {
    return JSON.parse(text);
  } catch {
    throw expecting("valid JSON", "request body");
  }
}

const microseconds = (ms: number): string => new Date(ms).toISOString().replace("Z", "000Z");
