import { Hono } from "hono";
import { AppError } from "../../core/error.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { rehearsal } from "../../core/kernel/request/rehearsal.ts";
import { batched } from "../../core/kernel/store/batched.ts";
import { ReadAhead } from "../../core/kernel/store/read-ahead.ts";
import { audit } from "./audit.ts";
import { Rights } from "./authorize.ts";
import { readBody } from "./body.ts";
import { callOf } from "./call.ts";
import type {
  Arrived,
  Audited,
  Authenticated,
  Authorized,
  ChainStep,
  FamilyOptions,
} from "./chain.ts";
import { actingFor, behalfIn } from "./on-behalf-of.ts";
import { refuseUnknown } from "./parameters.ts";
import { refusePaused } from "./paused.ts";
import { isDryRun } from "./preconditions.ts";
import { prefetch } from "./prefetch.ts";
import { type Env, refuse, refusing, refusingMethods } from "./refusal.ts";
import { emptyBody, type Route } from "./route.ts";

/** The routes of one family, which require authentication. */
export function familyApp<D extends Deps>(
  routes: readonly Route<D>[],
  deps: D,
  options: FamilyOptions,
): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    c.set("requestId", c.env.requestId ?? deps.newId());
    await next();
  });
  const answer = answering<D>();
  for (const route of routes)
    app.on(route.method, [honoPath(route)], (c) => {
      const reads = new ReadAhead(batched(deps.store));
      return answer({ c, route, deps: { ...deps, store: reads }, reads, options });
    });
  refusingMethods(
    app,
    routes.map((route) => ({ path: honoPath(route), method: route.method })),
  );
  refusing(app, deps);
  return app;
}

const honoPath = ({ path }: Pick<Route, "path">): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

/** Refuses an anonymous request before anything else of it is read. */
const authenticate =
  <D extends Deps>(next: ChainStep<Authenticated<D>>): ChainStep<Arrived<D>> =>
  async (request) => {
    const { c, route, options } = request;
    const principal = await options.principal(c);
    if (!principal)
      throw new AppError(
        "Unauthenticated",
        `${route.method} ${route.path} requires authentication`,
      );
    return next({ ...request, principal, behalf: behalfIn((name) => c.req.header(name)) });
  };

/** Limits apply before the audit, so that a caller over its limit does not fill the audit. */
const limit =
  <D extends Deps>(next: ChainStep<Authenticated<D>>): ChainStep<Authenticated<D>> =>
  async (request) => {
    const { c, route, deps, options } = request;
    const unwritable = route.method === "GET" ? undefined : options.unwritable?.();
    if (unwritable) throw unwritable;
    const { headers, refusal } = options.limiter?.admit(request, route, deps.wall.now()) ?? {};
    if (refusal) return refuse(c, refusal, { headers });
    for (const [name, value] of Object.entries(headers ?? {})) c.header(name, value);
    refuseUnknown(c.req, route);
    return next(request);
  };

/**
 * Continues as the caller with the principal's roles for this route. Throws Forbidden, and Unavailable while intake
 * is paused.
 */
const authorize =
  <D extends Deps>(next: ChainStep<Authorized<D>>): ChainStep<Audited<D>> =>
  async (request) => {
    const { route, deps, principal, behalf, audit } = request;
    const more = await prefetch(request);
    const acting = behalf ? await actingFor(deps, principal, behalf) : principal;
    const rights = new Rights(deps.store, acting);
    const caller = await rights.callerFor(route);
    await refusePaused(deps.store, route);
    more();
    return next({ ...request, deps: audit?.depsFor(caller) ?? deps, caller, rights });
  };

async function handle<D extends Deps>(request: Authorized<D>): Promise<Response> {
  const { c, route, deps } = request;
  if (route.body === emptyBody) parseOrRefuse(emptyBody, await readBody(c.req));
  const trial = isDryRun(c.req) ? rehearsal(deps) : undefined;
  return route.handle(callOf(request, trial));
}

/** Answers a request: no part of the answer begins before its caller is authorized. */
const answering = <D extends Deps>(): ChainStep<Arrived<D>> =>
  authenticate(limit(audit(authorize(handle<D>))));
