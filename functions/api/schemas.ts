import type * as z from "zod";
import { kinds } from "../../core/kinds/kinds.ts";
import { publicSchemas } from "../../core/kinds/public.ts";
import type { Kind } from "../../core/model/object.ts";
import type { Area } from "./permissions.ts";

/** What an object is like in an area. */
export const schemaIn = (area: Area, kind: Kind): z.ZodObject =>
  area === "private" ? kinds[kind].schema : publicSchemas[kind];
