import type * as z from "zod";
import { apiKinds } from "../../core/kinds/api.ts";
import { publicSchema } from "../../core/kinds/public-schemas.ts";
import type { Kind } from "../../core/model/object.ts";
import type { Area } from "./permissions.ts";

/** What an object is like in an area. */
export const schemaIn = (area: Area, kind: Kind): z.ZodObject =>
  area === "private" ? apiKinds[kind].schema : publicSchema(kind);
