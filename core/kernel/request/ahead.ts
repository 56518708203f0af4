import * as z from "zod";
import { parseLeniently } from "../input/parse.ts";
import { referenceInputSchema, systemMetadata } from "../input/reference.ts";
import { isObject, type Json, type JsonObject } from "../input/shape.ts";
import { nameKey, projectNameKey } from "../object/keys.ts";
import { metadataInputSchema, sharedTenant } from "../object/metadata.ts";
import type { Kind } from "../object/object.ts";
import type { Key } from "../store/store.ts";
import type { Definition, WireInput } from "./definition.ts";
import { keysMeantHere, type Place } from "./resolve.ts";

/**
 * The keys that a request will read first and the object that it is about, as far as the request alone
 * says.
 */
export interface Ahead {
  tenant: string;
  keys: Key[];
}

/** The keys for a new object: its project must exist, and its name must be free. */
export function objectAhead<K extends Kind, Input extends WireInput>(
  definition: Pick<Definition<K, Input>, "kind" | "tenant" | "ahead">,
  caller: string,
  body: Json,
): Ahead {
  const { tenant: said, project = "", name } = placeOf(body);
  const whose = { caller, shared: sharedTenant, itself: name ?? caller }[definition.tenant];
  const tenant = said || whose;
  return {
    tenant,
    keys: [
      ...(project === "" ? [] : [projectNameKey(tenant, project)]),
      ...(name === undefined ? [] : [nameKey(definition.kind, tenant, project, name)]),
      ...(definition.ahead?.({ tenant, project }, membersOf(body, "spec")) ?? []),
    ],
  };
}

// Built once, because a schema is compiled on first use. Labels are left out: they can be many and are
// not needed here.
const placeSchema = z
  .object(
    metadataInputSchema.extend(systemMetadata).pick({ tenant: true, project: true, name: true })
      .shape,
  )
  .partial();

/**
 * The place of a new object: only its valid members, because an invalid value could name any number of
 * keys.
 */
export const placeOf = (body: Json): z.output<typeof placeSchema> =>
  parseLeniently(placeSchema, memberOf(body, "metadata")).value ?? {};

/** A member of a request, even if the rest of the request is invalid. */
export const memberOf = (body: Json, name: "metadata" | "spec"): Json =>
  isObject(body) ? (body[name] ?? {}) : {};

export function membersOf(body: Json, name: "metadata" | "spec"): JsonObject {
  const member = memberOf(body, name);
  return isObject(member) ? member : {};
}

/** The keys that a local reference in a request is read by first, where it was not checked yet. */
export function keysAskedHere(kind: Kind, place: Place, asked: unknown): Key[] {
  const { data: named } = referenceInputSchema.safeParse(asked);
  return named === undefined ? [] : keysMeantHere(kind, place, named);
}
