import type * as z from "zod";
import type { Violation } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { known } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Query } from "../store/store.ts";
import type { Actions } from "./action.ts";
import type { Definition, WireInput } from "./definition.ts";
import type { RequestDeps } from "./request-deps.ts";

/**
 * The parts of a kind that only the API needs. OpenAPI and filters follow from them, and with `rules` also the
 * routes for changes.
 */
export interface ApiOf<K extends Kind> {
  /** The schema of the answer to administrators. */
  schema: z.ZodObject;
  /** The rules of writing, for kinds that people write. */
  rules?: Definition<K, WireInput, RequestDeps>;
  /** Its actions, by verb. */
  actions?: Actions<K>;
  /**
   * Further faults of a stored object by today's rules: for kinds without `rules`, and for values that cannot be
   * changed.
   */
  faults?(deps: RequestDeps, object: ObjectOf[K]): Promise<Violation[]>;
  /**
   * Adds members to stored objects that today's rules need and earlier versions did not write. Runs once in each
   * deployment.
   */
  settle?(deps: Deps): Promise<unknown>;
  /** Default filters for tenants: each applies unless the tenant's own filter has its path. */
  offered?: readonly { path: string; filter: string }[];
  /** Paths beside id and name that have an index, so that a filter on one value is fast. */
  lookups?: readonly Lookup<K>[];
  /** Paths of answers with ids, or lists of ids, of objects whose kind names its users. */
  uses?: readonly { path: string; kind: Kind }[];
  /** List parameters that are accepted and have no effect. */
  ignored?: readonly IgnoredParameter[];
}

/** A partition of objects, or of entries with their ids. */
interface LookedUp extends Pick<Query, "pk" | "index"> {
  ids?: true;
}

export interface Lookup<K extends Kind> {
  path: string;
  /**
   * The partitions with all objects that have this value, and perhaps others; undefined where no partition serves it.
   */
  partitions(value: string): readonly LookedUp[] | undefined;
  /**
   * Whether the object of an entry has the value. Absent if the answers of the objects are compared instead.
   */
  has?(object: ObjectOf[K], value: string): boolean;
  /** The partitions have objects of all tenants, so only callers who see all of these use them. */
  ofAllTenants?: true;
}

/** Parameters that OSAC's clients send with a list and that Slipway does not need. */
export type IgnoredParameter = "include_unpublished";

export type ApiKinds = { readonly [K in Kind]?: ApiOf<K> };

/** The actions of a kind, by verb: its own, and the retry of a kind whose orders have one. */
export function kindActionsOf<K extends Kind>({ rules, actions }: ApiOf<K>): Actions<K> {
  const retry = rules?.orders?.retry;
  return { ...(retry && { retry }), ...actions };
}

/** The part of a kind that only the API needs. Throws Internal where the process lacks it. */
export function apiOf<K extends Kind>(apiKinds: ApiKinds, kind: K): ApiOf<K> {
  const api: ApiOf<K> | undefined = apiKinds[kind];
  return known(kind, api);
}
