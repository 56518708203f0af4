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

/** What is known of a request after each link of the chain that answers it (`family.ts`). */

export interface FamilyOptions {
  /** The profile of clients that request none. */
  profile: Profile;
  /**
   * The principal of a verified token; undefined without a token. Throws Unauthenticated,
   * Unavailable.
   */
  principal(c: Context): Principal | undefined | Promise<Principal | undefined>;
  /** The address that the request came from, according to the gateway. */
  source?(c: Context): string | undefined;
  /** Limits a caller's rate of requests; no limit by default. */
  limiter?: RateLimiter | undefined;
  /** The reason why changes cannot be stored at present; undefined when they can. */
  unwritable?(): AppError | undefined;
}

/** A request for a route. Reads that it begins together go to the store as one batch. */
export interface Arrived<D extends Deps = Deps> {
  c: Context<Env>;
  route: Route<D>;
  deps: D;
  /** The store of `deps`, which can begin reads ahead of their use. */
  reads: ReadAhead;
  options: FamilyOptions;
}

/** The caller is authenticated, and the tenant and user that it acts for are known. */
export interface Authenticated<D extends Deps = Deps> extends Arrived<D> {
  principal: Principal;
  behalf: Behalf | undefined;
}

/** The prepared audit entry; undefined for a request that is not audited. */
export interface Audited<D extends Deps = Deps> extends Authenticated<D> {
  audit: AuditOfRequest<D> | undefined;
}

export interface AuditOfRequest<D extends Deps = Deps> {
  /**
   * The key of the head that a tenant's next entry follows; absent where the entry is not written with the change.
   */
  headOf?(tenant: string): Key;
  /** The dependencies for this caller's request, whose changes are stored together with their entry. */
  depsFor(caller: Caller): D;
}

/** The caller is authorized. */
export interface Authorized<D extends Deps = Deps> extends Audited<D> {
  caller: Caller;
  /** The caller's rights beyond this request. */
  rights: Rights;
}

export type ChainStep<Request> = (request: Request) => Promise<Response>;
