import { AppError } from "../../core/error.ts";
import type { Behalf } from "../../core/kernel/object/object.ts";
import type { Principal } from "./principal.ts";
import type { Route } from "./route.ts";
import { TokenBuckets, window } from "./token-buckets.ts";

/**
 * How often one may ask: each tenant, and each user whatever tokens they have; watches by a limit of
 * their own. Buckets are in the memory of this process: a counter in the table would be a write a
 * request. On Lambda the limits are therefore of each instance; what is refused takes it a
 * millisecond, so that a flood stays on few. The gateway's own throttle is above them all.
 */

/** Requests a second; 0 for as many as one likes. */
export interface RateLimits {
  tenant: number;
  user: number;
  /** Watches that a user begins. */
  watch: number;
}

interface Asker {
  principal: Principal;
  /** For whom it is, as a portal says. */
  behalf?: Behalf | undefined;
}

export interface Admission {
  headers: Record<string, string>;
  refusal?: AppError;
}

interface Limit {
  name: keyof RateLimits;
  buckets: TokenBuckets;
  key(asker: Asker): string | undefined;
}

export class RateLimiter {
  readonly #requests: Limit[];
  readonly #watches: Limit[];

  constructor(rates: RateLimits) {
    const limit = (name: keyof RateLimits, key: Limit["key"]): Limit[] =>
      rates[name] > 0 ? [{ name, buckets: new TokenBuckets(rates[name]), key }] : [];
    this.#requests = [...limit("user", userOf), ...limit("tenant", tenantOf)];
    this.#watches = limit("watch", userOf);
  }

  /** Whether somebody may ask at this time, in milliseconds, and what to tell them of it. */
  admit(asker: Asker, { verb }: Pick<Route, "verb">, now: number): Admission {
    // A hub's news that is refused would come again, and more with it.
    if (verb === "report") return { headers: {} };
    const limits = (verb === "watch" ? this.#watches : this.#requests).flatMap(
      ({ name, buckets, key }) => {
        const of = key(asker);
        return of === undefined ? [] : [{ name, buckets, of }];
      },
    );
    const full = limits.find(({ buckets, of }) => buckets.wait(of, now) > 0);
    // What one limit refuses does not count for another.
    if (full) return refused(full, Math.ceil(full.buckets.wait(full.of, now) / 1000));
    return {
      headers: headersOf(
        limits.map((limit) => ({ ...limit, left: limit.buckets.take(limit.of, now), seconds: 0 })),
      ),
    };
  }
}

interface Told extends Pick<Limit, "name" | "buckets"> {
  left: number;
  /** Until there is one again. */
  seconds: number;
}

/**
 * A portal has the limits of a tenant for each tenant that it acts for, beside the tenant's own: one
 * that may not act for it uses up nothing of the tenant's.
 */
const portalFor = ({ principal, behalf }: Asker): Behalf | undefined =>
  principal.roles.includes("portal") ? behalf : undefined;

function userOf(asker: Asker): string {
  const { tenant, user } = asker.principal;
  const behalf = portalFor(asker);
  return JSON.stringify([tenant, user, ...(behalf ? [behalf.tenant, behalf.user ?? ""] : [])]);
}

/** Undefined for who is of no tenant, but the provider's. */
function tenantOf(asker: Asker): string | undefined {
  const behalf = portalFor(asker);
  if (behalf) return JSON.stringify([asker.principal.user, behalf.tenant]);
  return asker.principal.tenant || undefined;
}

/** As draft-ietf-httpapi-ratelimit-headers has them. */
function headersOf(told: Told[]): Record<string, string> {
  if (told.length === 0) return {};
  const policies = told.map(
    ({ name, buckets }) => `"${name}";q=${buckets.perSecond * window};w=${window}`,
  );
  const states = told.map(({ name, left, seconds }) => `"${name}";r=${left};t=${seconds}`);
  return { "RateLimit-Policy": policies.join(", "), RateLimit: states.join(", ") };
}

function refused(limit: Pick<Limit, "name" | "buckets">, seconds: number): Admission {
  const { name, buckets } = limit;
  const what = name === "watch" ? "watches of a user" : `requests of a ${name}`;
  return {
    headers: headersOf([{ ...limit, left: 0, seconds }]),
    refusal: new AppError(
      "RateLimited",
      `too many ${what}: the limit is ${buckets.perSecond} a second`,
      { retryAfter: seconds },
    ),
  };
}
