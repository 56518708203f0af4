import { type Context, Hono } from "hono";
import { bodyLimit as limited } from "hono/body-limit";
import { cors } from "hono/cors";
import type { Deps } from "../../core/kernel/deps.ts";
import { once } from "../runtime/once.ts";
import { bodyLimit } from "./body.ts";
import { profileOf } from "./call.ts";
import { capabilitiesOf } from "./capabilities.ts";
import type { FamilyOptions } from "./chain.ts";
import { allowedHeaders, allowedMethods, exposedHeaders, maxAge } from "./cross-origin.ts";
import type { Families } from "./families.ts";
import { familyApp } from "./family.ts";
import { refuseUnknown } from "./parameters.ts";
import { RateLimiter, type RateLimits } from "./rate-limits.ts";
import { type Env, refusing, refusingMethods, routeNotFound, tooLarge } from "./refusal.ts";

export interface AppOptions extends Omit<FamilyOptions, "limiter"> {
  /** Limits a caller's rate of requests; no limit by default. */
  limits?: RateLimits | undefined;
  /** Origins that browsers may call from, `*` for any; none by default. */
  origins?: readonly string[] | undefined;
  /** The issuer at which people log in from the reference; without it they paste a token. */
  login?: string;
  /** Issuers whose tokens are accepted, for `capabilities`. */
  issuers?: readonly string[];
}

/** An HTTP API of these families of routes, and of the paths that need no token. */
export function serving<D extends Deps>(
  families: Families<D>,
  deps: D,
  options: AppOptions,
): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    c.set("requestId", requestIdOf(c, deps));
    await next();
    c.header("X-Request-Id", c.get("requestId"));
    // A client needs the server's time to show an age, since its own clock may be ahead.
    c.header("Date", new Date(deps.clock.now()).toUTCString());
  });
  if (options.origins) app.use(fromOrigins(options.origins));
  app.use(limited({ maxSize: bodyLimit, onError: (c) => tooLarge(c) }));
  app.get("/", (c) => c.redirect("/docs"));
  for (const path of ["/docs", "/docs/*"]) app.get(path, (c) => docs(c, options.login));
  app.get("/healthz", (c) => c.body(null, 200));
  app.get("/api/fulfillment/v1/capabilities", (c) => {
    refuseUnknown(c.req, {});
    const profile = profileOf(c) ?? options.profile;
    return c.json(capabilitiesOf(options.issuers, profile, deps.defaultQuota));
  });
  refusingMethods(
    app,
    anonymous.map((path) => ({ path, method: "GET" })),
  );
  const apps = appsOf(families, deps, options);
  app.all("/api/*", async (c) => {
    const family = await apps.get(familyIn(c.req.path))?.();
    return family
      ? family.fetch(c.req.raw, { ...c.env, requestId: c.get("requestId") })
      : routeNotFound(c);
  });
  refusing(app, deps);
  return app;
}

/** The apps of the families, each loaded with the first request for it. */
function appsOf<D extends Deps>(
  families: Families<D>,
  deps: D,
  { limits, ...options }: AppOptions,
) {
  const limiter = limits && new RateLimiter(limits);
  const load = async (routes: Families<D>[string]) =>
    familyApp(await routes(), deps, { ...options, limiter });
  return new Map(
    Object.entries(families).map(([name, routes]) => [name, once(() => load(routes))] as const),
  );
}

/** The first part of a path after its version, such as `clusters` or the `intake` of `intake:pause`. */
const familyIn = (path: string): string => /^\/api\/\w+\/v1\/(\w+)/.exec(path)?.[1] ?? "";

/** Answers preflights before authentication, since browsers send them without a token. */
const fromOrigins = (origins: readonly string[]) =>
  cors({
    origin: origins.includes("*") ? "*" : [...origins],
    allowMethods: allowedMethods,
    allowHeaders: allowedHeaders,
    exposeHeaders: exposedHeaders,
    maxAge,
  });

/** Loads the reference with its first request. */
async function docs(c: Context<Env>, issuer: string | undefined): Promise<Response> {
  const { docsAnswer } = await import("./docs/answer.ts");
  return (await docsAnswer(c.req.path, { issuer })) ?? routeNotFound(c);
}

/** Paths that need no token. */
const anonymous = ["/", "/healthz", "/docs", "/api/fulfillment/v1/capabilities"];

function requestIdOf(c: Context<Env>, deps: Deps): string {
  const given = c.req.header("X-Request-Id");
  return given !== undefined && /^[\w.-]{1,128}$/.test(given) ? given : deps.newId();
}
