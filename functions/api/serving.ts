import { type Context, Hono } from "hono";
import { bodyLimit as limited } from "hono/body-limit";
import { cors } from "hono/cors";
import type { Deps } from "../../core/deps.ts";
import { AppError, toAppError } from "../../core/error.ts";
import { parseOrRefuse } from "../../core/input/parse.ts";
import { rehearsal } from "../../core/rehearsal.ts";
import { batched } from "../../core/store/batched.ts";
import { ReadAhead } from "../../core/store/read-ahead.ts";
import type { Profile } from "../../core/view/view.ts";
import { keysAhead } from "./ahead.ts";
import { audited } from "./audit.ts";
import { Rights } from "./authorize.ts";
import { bodyLimit, malformed, readBody } from "./body.ts";
import { Call } from "./call.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { allowedHeaders, allowedMethods, exposedHeaders, maxAge } from "./cross-origin.ts";
import { actingFor, behalfIn } from "./on-behalf-of.ts";
import { refuseUnknown } from "./parameters.ts";
import { isDryRun } from "./preconditions.ts";
import type { Principal } from "./principal.ts";
import { problemOf } from "./problem.ts";
import { RateLimiter, type RateLimits } from "./rate-limits.ts";
import { emptyBody, type Route } from "./route.ts";
import { refusePaused } from "./switches.ts";

export interface AppOptions {
  /** What clients get that do not ask. */
  profile: Profile;
  /** Who is asking, by a token that was verified; undefined for nobody. Throws Unauthenticated, Unavailable. */
  principal(c: Context): Principal | undefined | Promise<Principal | undefined>;
  /** The address that the request came from, as the gateway says. */
  source?(c: Context): string | undefined;
  /** How often one may ask; as often as one likes when absent. */
  limits?: RateLimits | undefined;
  /** Why no change can be stored now; undefined when it can. */
  unwritable?(): AppError | undefined;
  /** Origins that browsers may call from, `*` for any; none when absent. */
  origins?: readonly string[] | undefined;
  /** Where people can log in from the reference; they paste a token when absent. */
  login?: string;
  /** Whose tokens are accepted, for `capabilities`. */
  issuers?: readonly string[];
}

/** What a request carries from one handler to the next. */
interface Env {
  Variables: { requestId: string };
}

/** An HTTP API of these routes, with what anybody may get. */
export function serving(routes: readonly Route[], deps: Deps, options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    c.set("requestId", requestIdOf(c, deps));
    await next();
    c.header("X-Request-Id", c.get("requestId"));
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
  const limiter = options.limits && new RateLimiter(options.limits);
  for (const route of routes)
    app.on(route.method, [honoPath(route)], (c) => serve(c, route, deps, options, limiter));
  const methods = Map.groupBy(
    [...routes, ...anonymous.map((path) => ({ path, method: "GET" }))],
    honoPath,
  );
  for (const [path, those] of methods) {
    // OSAC's status, with what RFC 9110 has beside its own.
    const headers = { Allow: [...new Set(those.map(({ method }) => method))].join(", ") };
    const error = new AppError("Unimplemented", "Method Not Allowed");
    app.all(path, (c) => refuse(c, error, { headers }));
  }
  app.notFound((c) => refuse(c, new AppError("NotFound", "Not Found")));
  app.onError((thrown, c) => {
    const error = hasGone(c, thrown)
      ? new AppError("Cancelled", "the request ended within its body")
      : toAppError(thrown);
    if (error.kind === "Internal") logDefect(deps, c, error);
    return refuse(c, error);
  });
  return app;
}

/** Before anybody is asked who they are: browsers ask without a token first. */
const fromOrigins = (origins: readonly string[]) =>
  cors({
    origin: origins.includes("*") ? "*" : [...origins],
    allowMethods: allowedMethods,
    allowHeaders: allowedHeaders,
    exposeHeaders: exposedHeaders,
    maxAge,
  });

async function serve(
  c: Context<Env>,
  route: Route,
  deps: Deps,
  options: AppOptions,
  limiter: RateLimiter | undefined,
): Promise<Response> {
  const principal = await options.principal(c);
  // Before anything else is looked at.
  if (!principal)
    throw new AppError("Unauthenticated", `${route.method} ${route.path} requires authentication`);
  const unwritable = route.method === "GET" ? undefined : options.unwritable?.();
  if (unwritable) throw unwritable;
  const behalf = behalfIn((name) => c.req.header(name));
  // Before the audit: who asks too often must not fill it.
  const asker = { principal, behalf };
  const { headers, refusal } = limiter?.admit(asker, route, deps.wall.now()) ?? {};
  if (refusal) return refuse(c, refusal, { headers });
  for (const [name, value] of Object.entries(headers ?? {})) c.header(name, value);
  refuseUnknown(c.req, route);
  const store = new ReadAhead(batched(deps.store));
  const asked = { ...deps, store };
  const trial = isDryRun(c.req) ? rehearsal(asked) : undefined;
  const profile = profileOf(c) ?? options.profile;
  const { hub } = principal;
  const source = options.source?.(c) ?? "";
  const request_id = c.get("requestId");
  const witness = { principal, behalf, source, request_id, object_id: c.req.param("id") ?? "" };
  return audited(trial?.deps ?? asked, route, witness, {
    isTrial: trial !== undefined,
    authorize: async (needed) => {
      const acting = behalf ? await actingFor(store, principal, behalf) : principal;
      const rights = new Rights(store, acting);
      // One whose token allows it is hardly ever refused: what comes next is read at once.
      const more = rights.isByToken(route) ? await keysAhead(c.req, route, acting) : [];
      void store.ahead([...needed, ...more]);
      const caller = await rights.callerFor(route);
      await refusePaused(store, route);
      return { caller, rights };
    },
    handle: async (deps, admitted) => {
      if (route.body === emptyBody) parseOrRefuse(emptyBody, await readBody(c.req));
      return route.handle(
        new Call(c, { deps, ...admitted, area: route.area, profile, hub, trial }),
      );
    },
  });
}

/** The reference is loaded by the first who reads it. */
async function docs(c: Context<Env>, issuer: string | undefined): Promise<Response> {
  const { docsAnswer } = await import("./docs/answer.ts");
  return (
    (await docsAnswer(c.req.path, { issuer })) ?? refuse(c, new AppError("NotFound", "Not Found"))
  );
}

/** What anybody may get. */
const anonymous = ["/", "/healthz", "/docs", "/api/fulfillment/v1/capabilities"];

const honoPath = ({ path }: Pick<Route, "path">): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

/** `Accept: application/json;profile=osac`. */
function profileOf(c: Context): Profile | undefined {
  const profile = /;\s*profile="?([a-z]+)"?/.exec(c.req.header("Accept") ?? "")?.[1];
  return profile === "osac" || profile === "slipway" ? profile : undefined;
}

function requestIdOf(c: Context<Env>, deps: Deps): string {
  const given = c.req.header("X-Request-Id");
  return given !== undefined && /^[\w.-]{1,128}$/.test(given) ? given : deps.newId();
}

function refuse(
  c: Context<Env>,
  error: AppError,
  { status, headers: more }: { status?: number; headers?: Record<string, string> | undefined } = {},
): Response {
  const problem = problemOf(error, { instance: c.req.path, requestId: c.get("requestId") }, status);
  const headers: Record<string, string> = { "Content-Type": "application/problem+json" };
  if (problem.status === 401)
    headers["WWW-Authenticate"] = `Bearer error_description="${error.message}"`;
  if (error.retryable) headers["Retry-After"] = String(error.retryAfter);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { ...headers, ...more, "X-Request-Id": problem.request_id },
  });
}

const tooLarge = (c: Context<Env>): Response =>
  refuse(c, malformed(`is larger than ${bodyLimit} bytes`), { status: 413 });

/** The client went away within its body: nobody is there to be told, and nothing is wrong with us. */
const hasGone = (c: Context<Env>, thrown: Error): boolean =>
  c.req.raw.signal.aborted && "code" in thrown && thrown.code === "ECONNRESET";

function logDefect(deps: Deps, c: Context<Env>, error: AppError): void {
  deps.log.error(
    {
      request_id: c.get("requestId"),
      method: c.req.method,
      path: c.req.path,
      detail: error.detail,
    },
    "a request failed",
  );
}
