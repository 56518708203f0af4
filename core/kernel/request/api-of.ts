import type * as z from "zod";
import type { Kind } from "../object/object.ts";
import type { Definition } from "./definition.ts";

/** What only the API must know of a kind: from it come OpenAPI, filters and, with `rules`, the routes that write. */
export interface ApiOf<K extends Kind> {
  /** What the API answers to administrators. */
  schema: z.ZodObject;
  /** How one is written, for kinds that need no saga. */
  rules?: Definition<K>;
}

export type ApiKinds = { readonly [K in Kind]: ApiOf<K> };
