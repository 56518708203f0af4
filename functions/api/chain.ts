import type { Context } from "hono";
import type { AppError } from "../../core/error.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import type { Behalf } from "../../core/kernel/object/object.ts";
import type { Profile } from "../../core/kernel/object/view.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import type { ReadAhead } from "../../core/kernel/store/read-ahead.ts";
import type { Key } from "../../core/kernel/store/store.ts";
import type { Principal } from "../identity/principal.ts";
import type { Rights } from "./authorize.ts";
import type { RateLimiter } from "./rate-limits.ts";
import type { Env } from "./refusal.ts";
import type { Route } from "./route.ts";

/** What a request of a family is known to be, as far as it has come in the chain that answers it (`family.ts`). */

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

/** A request for a route; its reads of one moment go out together. */
export interface Arrived {
  c: Context<Env>;
  route: Route;
  deps: Deps;
  /** The store of `deps`, whose reads can begin before they are asked for. */
  reads: ReadAhead;
  options: FamilyOptions;
}

/** It is known who asks, and for whom. */
export interface Authenticated extends Arrived {
  principal: Principal;
  behalf: Behalf | undefined;
}

/** Its audit entry is prepared; undefined for a request that is not audited. */
export interface Audited extends Authenticated {
  audit: AuditOfRequest | undefined;
}

export interface AuditOfRequest {
  /** The key after which an entry of a tenant's audit is appended; absent where it is not with the change. */
  headOf?(tenant: string): Key;
  /** The dependencies of a request of this caller, whose changes are stored with their entry. */
  depsFor(caller: Caller): Deps;
}

/** The caller may ask for it. */
export interface Authorized extends Audited {
  caller: Caller;
  /** The caller's rights besides this request. */
  rights: Rights;
}

export type ChainStep<Request> = (request: Request) => Promise<Response>;

/** A link of the chain: does its part, and continues with `next` or throws. */
export type ChainLink<Before, After> = (next: ChainStep<After>) => ChainStep<Before>;
