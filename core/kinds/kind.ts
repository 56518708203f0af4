import type * as z from "zod";
import type { Definition } from "../catalog/definition.ts";
import type { Change } from "../events/types.ts";
import type { Kind } from "../model/object.ts";
import type { ObjectOf } from "../model/object-of.ts";
import type { Use } from "../store/uses.ts";
import type { Wire } from "../view/view.ts";

/** What is known of a kind: from it come routes, OpenAPI, filters, pages, events and the audit. */
export interface KindOf<K extends Kind> {
  /** What the API answers to administrators. */
  schema: z.ZodObject;
  view(object: ObjectOf[K]): object;
  /** Members that tenants do not see, such as `status.hub`; `*` stands for the items of a list. */
  privateMembers?: readonly string[];
  /** What `view` made, as OSAC has it; absent where that is the same, or OSAC has no such kind. */
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
  /** How it is written. Larger ones are in `core/catalog`, since the relay need not carry them. */
  rules?: Definition<K>;
}

/** Changes that every kind with events tells of. */
export const commonChanges = ["created", "updated", "deleted"] as const;
