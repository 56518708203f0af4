import type * as z from "zod";
import type { Change } from "../events/types.ts";
import type { Definition } from "../request/definition.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import type { Use } from "./uses.ts";
import type { Wire } from "./view.ts";

/** What everybody who writes, shows or tells of an object must know of its kind. */
export interface KindOf<K extends Kind> {
  view(object: ObjectOf[K]): object;
  /** Members that tenants do not see, such as `status.hub`; `*` stands for the items of a list. */
  privateMembers?: readonly string[];
  /** Converts the answer of `view` to OSAC's form. Absent where both are the same, or OSAC has no such kind. */
  osac?(wire: Wire): object;
  /** OSAC's events carry it. */
  inOsacEvents?: true;
  events: readonly Change[];
  /** Everybody sees those of tenant `shared`. */
  shared?: true;
  /** Members of projects see those of their projects only. */
  inProjects?: true;
  /** What one cannot be without, beside its project. */
  uses?(object: ObjectOf[K]): Use[];
  /** Others may use one, so that it cannot go. */
  used?: true;
  /** What the claim of its name says beside its id: what is read after it, so that both can be read at once. */
  claim?(object: ObjectOf[K]): { template: string };
}

/**
 * What only the API must know of a kind: from it come OpenAPI, filters and, with `rules`, the routes that
 * write. It is apart from `KindOf`, so that the bundler can leave schemas out of functions without an API,
 * also where a file has both.
 */
export interface ApiOf<K extends Kind> {
  /** What the API answers to administrators. */
  schema: z.ZodObject;
  /** How one is written. Kinds with larger rules have them in `core/catalog`. */
  rules?: Definition<K>;
}

/** Changes that every kind with events tells of. */
export const commonChanges = ["created", "updated", "deleted"] as const;

/** The `osac` of a kind, whose `view` renders a `W`: an answer on the wire is one, whatever its type says. */
export const osacOf =
  <W extends object>(convert: (wire: W) => object) =>
  (wire: Wire): object =>
    convert(wire as W);
