import * as z from "zod";
import { parseLeniently } from "../input/parse.ts";
import { idSchema, systemMetadata } from "../input/reference.ts";
import { isObject, type Json } from "../input/shape.ts";
import { metadataInputSchema, sharedTenant } from "../object/metadata.ts";
import type { Kind } from "../object/object.ts";
import type { Caller } from "./caller.ts";
import type { Definition } from "./definition.ts";

/** The place that a request gives a new object, read before the request is checked. */

// Built once, because a schema is compiled on first use. Without labels, which can be many and are not needed here.
const placeSchema = z
  .object(
    metadataInputSchema.extend(systemMetadata).pick({ tenant: true, project: true, name: true })
      .shape,
  )
  .partial();

/** The id and the metadata of a request, as far as they are valid. */
export type NewPlace = z.output<typeof placeSchema> & { id?: string | undefined };

/**
 * The place of a new object: only its valid members, because an invalid value could name any number of
 * keys.
 */
export const placeOf = (body: Json): NewPlace => ({
  ...parseLeniently(placeSchema, memberOf(body, "metadata")).value,
  id: idSchema.safeParse(isObject(body) ? body.id : undefined).data,
});

/** The tenant of a new object whose request names none. */
export function tenantUnlessNamed(
  rule: Definition<Kind>["tenant"],
  { tenant, everywhere }: Pick<Caller, "tenant" | "everywhere">,
  name: string | undefined,
): string {
  if (rule === "itself") return name ?? tenant;
  return rule === "shared" || (rule === "caller" && everywhere) ? sharedTenant : tenant;
}

/** A member of a request, even if the rest of the request is invalid. */
export const memberOf = (body: Json, name: "metadata" | "spec"): Json =>
  isObject(body) ? (body[name] ?? {}) : {};
