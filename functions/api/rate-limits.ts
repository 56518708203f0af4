import { AppError } from "../../core/error.ts";
import type { Behalf } from "../../core/kernel/object/object.ts";
import type { Principal } from "../identity/principal.ts";
import type { Route } from "./route.ts";
import { TokenBuckets, window } from "./token-buckets.ts";

/**
 * Limits a caller's rate of requests: for each tenant, for each user whatever their token, and for watches
 * separately. Buckets are in this process's memory, because a counter in the table would cost a write for each
 * request; so on Lambda the limits apply to each instance. A refusal takes an instance about a millisecond, so a
 * flood stays on few instances. The gateway's throttle limits all of them together.
 */

/** Requests a second; 0 for no limit. */
export interface RateLimits {
  tenant: number;
  user: number;
  /** Watches that a user begins per second. */
  watch: number;
}

interface Asker {
  principal: Principal;
  /** The tenant and user that a portal names. */
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

  /** Whether a caller may send a request at this time (in milliseconds), and the headers that say so. */
  admit(asker: Asker, { verb }: Pick<Route, "verb">, now: number): Admission {
    // A hub's report is never refused: the hub would send it again, with others.
    if (verb === "report") return { headers: {} };
    const limits = (verb === "watch" ? this.#watches : this.#requests).flatMap(
      ({ name, buckets, key }) => {
        const of = key(asker);
        return of === undefined ? [] : [{ name, buckets, of }];
      },
    );
    const full = limits.find(({ buckets, of }) => buckets.wait(of, now) > 0);
    // A request that one limit refuses does not count for the other limits.
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
  /** Seconds until the bucket allows a request again. */
  seconds: number;
}

/**
 * The tenant that a portal acts for. A portal's limits for a tenant are separate from the tenant's own, so a portal
 * that may not act for a tenant uses none of the tenant's.
 */
const portalFor = ({ principal, behalf }: Asker): Behalf | undefined =>
  principal.roles.includes("portal") ? behalf : undefined;

function userOf(asker: Asker): string {
  const { tenant, user } = asker.principal;
  const behalf = portalFor(asker);
  return JSON.stringify([tenant, user, ...(behalf ? [behalf.tenant, behalf.user ?? ""] : [])]);
}

/** The key of the tenant's limits; undefined for a caller without a tenant, who is the provider's. */
function tenantOf(asker: Asker): string | undefined {
  const behalf = portalFor(asker);
  if (behalf) return JSON.stringify([asker.principal.user, behalf.tenant]);
  return asker.principal.tenant || undefined;
}

/** The headers of draft-ietf-httpapi-ratelimit-headers. */
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
