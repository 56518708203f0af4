import type * as z from "zod";
import type { Kind } from "../../core/kernel/object/object.ts";
import { publicSchema } from "../../core/kernel/object/public-schemas.ts";
import { apiKinds } from "../../core/resources/api.ts";
import type { Area } from "./permissions.ts";

/** The schema of an object in an area. */
export const schemaIn = (area: Area, kind: Kind): z.ZodObject =>
  area === "private" ? apiKinds[kind].schema : publicSchema(kind);
