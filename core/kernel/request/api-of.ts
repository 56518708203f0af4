import type * as z from "zod";
import { known } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import type { Query } from "../store/store.ts";
import type { Definition } from "./definition.ts";

/** What only the API must know of a kind: from it come OpenAPI, filters and, with `rules`, the routes that write. */
export interface ApiOf<K extends Kind> {
  /** What the API answers to administrators. */
  schema: z.ZodObject;
  /** How one is written, for kinds that need no saga. */
  rules?: Definition<K>;
  /** Tenants see those alone for which these hold, each unless their own filter speaks of its path. */
  offered?: readonly { path: string; filter: string }[];
  /** A path that a filter may fix, beside id and name, to find the few that have this value there. */
  lookup?: { path: string; partition(value: string): Pick<Query, "pk" | "index"> };
  /** Parameters of a list without any effect. */
  ignored?: readonly IgnoredParameter[];
}

/** What clients of OSAC send with a list, and need not. */
export type IgnoredParameter = "include_unpublished";

export type ApiKinds = { readonly [K in Kind]?: ApiOf<K> };

/** What the API must know of a kind. Throws Internal where the process lacks it. */
export function apiOf<K extends Kind>(apiKinds: ApiKinds, kind: K): ApiOf<K> {
  const api: ApiOf<K> | undefined = apiKinds[kind];
  return known(kind, api);
}
