import type { Context } from "hono";
import type * as z from "zod";
import type { Deps } from "../../core/kernel/deps.ts";
import { canonical } from "../../core/kernel/input/names.ts";
import { merged } from "../../core/kernel/input/patch.ts";
import type { JsonObject } from "../../core/kernel/input/shape.ts";
import type { Profile } from "../../core/kernel/object/view.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import type { Area } from "../../core/kernel/request/permissions.ts";
import type { Rehearsal } from "../../core/kernel/request/rehearsal.ts";
import type { RequestDeps } from "../../core/kernel/request/request-deps.ts";
import type { Rights } from "./authorize.ts";
import { readBody } from "./body.ts";
import type { Authorized } from "./chain.ts";
import { type QueryParameter, queried } from "./parameters.ts";

export interface CallOptions<D extends Deps> {
  deps: D;
  caller: Caller;
  /** The caller's rights beyond this request. */
  rights: Rights;
  area: Area;
  profile: Profile;
  hub?: string | undefined;
  trial?: Rehearsal<D> | undefined;
}

/** One authorized request, as the handlers see it. `D`: what they reach. */
export class Call<D extends Deps = RequestDeps> {
  readonly c: Context;
  readonly deps: D;
  readonly caller: Caller;
  readonly rights: Rights;
  readonly area: Area;
  readonly profile: Profile;
  /** The hub that the caller speaks for, if any. */
  readonly hub: string | undefined;
  /** Set for a dry run, whose `deps` store nothing. */
  readonly trial: Rehearsal<D> | undefined;

  constructor(c: Context, options: CallOptions<D>) {
    this.c = c;
    this.deps = options.deps;
    this.caller = options.caller;
    this.rights = options.rights;
    this.area = options.area;
    this.profile = options.profile;
    this.hub = options.hub;
    this.trial = options.trial;
  }

  get view(): { profile: Profile; private: boolean } {
    return { profile: this.profile, private: this.area === "private" };
  }

  param(name: string): string {
    return this.c.req.param(name) ?? "";
  }

  /** A query parameter. Throws Invalid when it is given twice. */
  query(name: QueryParameter): string | undefined {
    return queried(this.c.req, name);
  }

  /**
   * The body, with its members renamed to the schema's spelling. A null member removes one in a PATCH, and counts as
   * absent in any other request.
   */
  async body(schema: z.ZodType): Promise<JsonObject> {
    // An object with renamed members is still an object.
    const body = canonical(schema, await readBody(this.c.req)) as JsonObject;
    return this.c.req.method === "PATCH" ? body : merged(schema, {}, body);
  }
}

/** A request as its handler sees it; `trial` for a dry run. */
export function callOf<D extends Deps>(request: Authorized<D>, trial?: Rehearsal<D>): Call<D> {
  const { c, route, deps, options, caller, rights, principal } = request;
  return new Call(c, {
    ...{ deps: trial?.deps ?? deps, caller, rights, area: route.area, trial },
    ...{ profile: profileOf(c) ?? options.profile, hub: principal.hub },
  });
}

/** `Accept: application/json;profile=osac`. */
export function profileOf(c: Context): Profile | undefined {
  const profile = /;\s*profile="?([a-z]+)"?/.exec(c.req.header("Accept") ?? "")?.[1];
  return profile === "osac" || profile === "slipway" ? profile : undefined;
}
