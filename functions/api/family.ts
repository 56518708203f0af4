import { isDeepStrictEqual } from "node:util";
import { type Context, Hono } from "hono";
import { AppError } from "../../core/error.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { sharedTenant } from "../../core/kernel/object/metadata.ts";
import type { Profile } from "../../core/kernel/object/view.ts";
import { begun } from "../../core/kernel/request/begun.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import { rehearsal } from "../../core/kernel/request/rehearsal.ts";
import { batched } from "../../core/kernel/store/batched.ts";
import { ReadAhead } from "../../core/kernel/store/read-ahead.ts";
import type { Principal } from "../identity/principal.ts";
import { keysAhead } from "./ahead.ts";
import { audited } from "./audit.ts";
import { type Admitted, isLikely, Rights } from "./authorize.ts";
import { readBody } from "./body.ts";
import { Call } from "./call.ts";
import { actingFor, behalfIn } from "./on-behalf-of.ts";
import { refuseUnknown } from "./parameters.ts";
import { refusePaused } from "./paused.ts";
import { isDryRun } from "./preconditions.ts";
import type { RateLimiter } from "./rate-limits.ts";
import { type Env, refuse, refusing, refusingMethods } from "./refusal.ts";
import { emptyBody, type Route } from "./route.ts";

export interface FamilyOptions {
  /** The profile of clients that ask for none. */
  profile: Profile;
  /**
   * The principal of a verified token; undefined without a token. Throws Unauthenticated,
   * Unavailable.
   */
  principal(c: Context): Principal | undefined | Promise<Principal | undefined>;
  /** The address that the request came from, according to the gateway. */
  source?(c: Context): string | undefined;
  /** Limits how often a caller may ask; no limit by default. */
  limiter?: RateLimiter | undefined;
  /** The reason why no change can be stored now; undefined when changes can be stored. */
  unwritable?(): AppError | undefined;
}

/** The routes of one family, which require authentication. */
export function familyApp(routes: readonly Route[], deps: Deps, options: FamilyOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    c.set("requestId", c.env.requestId ?? deps.newId());
    await next();
  });
  for (const route of routes)
    app.on(route.method, [honoPath(route)], (c) => serve(c, route, deps, options));
  refusingMethods(
    app,
    routes.map((route) => ({ path: honoPath(route), method: route.method })),
  );
  refusing(app, deps);
  return app;
}

const honoPath = ({ path }: Pick<Route, "path">): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

/**
 * A read that began before the user's record was read: for whom, and its answer. The answer is sent
 * only if the record does not refuse the user.
 */
interface Early {
  caller: Caller;
  answer: Promise<Response>;
}

const isRead = ({ verb }: Route): boolean => verb === "list" || verb === "get";

async function serve(
  c: Context<Env>,
  route: Route,
  deps: Deps,
  options: FamilyOptions,
): Promise<Response> {
  const principal = await options.principal(c);
  // Refuses an anonymous request before it looks at anything else.
  if (!principal)
    throw new AppError("Unauthenticated", `${route.method} ${route.path} requires authentication`);
  const unwritable = route.method === "GET" ? undefined : options.unwritable?.();
  if (unwritable) throw unwritable;
  const behalf = behalfIn((name) => c.req.header(name));
  // Limits come before the audit, so that a caller who asks too often does not fill the audit.
  const asker = { principal, behalf };
  const { headers, refusal } = options.limiter?.admit(asker, route, deps.wall.now()) ?? {};
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
  const answered = (deps: Deps, admitted: Admitted) =>
    route.handle(new Call(c, { deps, ...admitted, area: route.area, profile, hub, trial }));
  let early: Early | undefined;
  return audited(trial?.deps ?? asked, route, witness, {
    isTrial: trial !== undefined,
    authorize: async (headOf) => {
      // A refusal is recorded in the caller's own audit.
      const own = headOf ? [headOf(principal.tenant || sharedTenant)] : [];
      const isWorthwhile = isLikely(principal, route, behalf !== undefined);
      const asker = { ...principal, ...behalf };
      const more = isWorthwhile ? await keysAhead(c.req, route, asker, headOf) : [];
      void store.ahead([...own, ...more]);
      const acting = behalf ? await actingFor(asked, principal, behalf) : principal;
      const rights = new Rights(store, acting);
      const likely = isRead(route) ? rights.callerByToken(route) : undefined;
      if (likely)
        early = { caller: likely, answer: begun(answered(asked, { caller: likely, rights })) };
      const caller = await rights.callerFor(route);
      await refusePaused(store, route);
      return { caller, rights };
    },
    handle: async (deps, admitted) => {
      if (route.body === emptyBody) parseOrRefuse(emptyBody, await readBody(c.req));
      const isAsBegun = early && isDeepStrictEqual(early.caller, admitted.caller);
      return early && isAsBegun ? early.answer : answered(deps, admitted);
    },
  });
}

/** `Accept: application/json;profile=osac`. */
export function profileOf(c: Context): Profile | undefined {
  const profile = /;\s*profile="?([a-z]+)"?/.exec(c.req.header("Accept") ?? "")?.[1];
  return profile === "osac" || profile === "slipway" ? profile : undefined;
}
