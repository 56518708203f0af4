import type * as z from "zod";
import type { Kind } from "../../core/kernel/object/object.ts";
import { type ApiOf, apiOf as ofKind } from "../../core/kernel/request/api-of.ts";
import type { Area } from "../../core/kernel/request/permissions.ts";
import { WireSchemas } from "../../core/kernel/request/wire-schemas.ts";
import { apiKinds } from "../../core/resources/generated/api-kinds.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";

/** The schemas of the API's answers, for all kinds. */
export const wireSchemas = new WireSchemas(kinds, apiKinds);

/** The part of a kind that only the API needs. */
export const apiOf = <K extends Kind>(kind: K): ApiOf<K> => ofKind(apiKinds, kind);

/** The schema of an object in an area. */
export const schemaIn = (area: Area, kind: Kind): z.ZodObject =>
  area === "private" ? wireSchemas.private(kind) : wireSchemas.public(kind);
