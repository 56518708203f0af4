import * as z from "zod";
import { parseLeniently } from "../input/parse.ts";
import { systemMetadata } from "../input/reference.ts";
import { isObject, type Json, type JsonObject } from "../input/shape.ts";
import { nameKey, projectNameKey } from "../object/keys.ts";
import { metadataInputSchema, sharedTenant } from "../object/metadata.ts";
import type { Kind } from "../object/object.ts";
import type { Key } from "../store/store.ts";
import type { Definition, WireInput } from "./definition.ts";

/** What a request will read first, and whose it is about, as far as its own words say. */
export interface Ahead {
  tenant: string;
  keys: Key[];
}

/** Of a new object that a caller of this tenant makes: its project must be there, and its name free. */
export function objectAhead<K extends Kind, Input extends WireInput>(
  definition: Pick<Definition<K, Input>, "kind" | "tenant">,
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
    ],
  };
}

// Made once: a schema is compiled when it is first used. Labels are many, and not asked for here.
const placeSchema = z
  .object(
    metadataInputSchema.extend(systemMetadata).pick({ tenant: true, project: true, name: true })
      .shape,
  )
  .partial();

/** Where a new object is to be, as far as it is right: what is not might name any number of keys. */
export const placeOf = (body: Json): z.output<typeof placeSchema> =>
  parseLeniently(placeSchema, memberOf(body, "metadata")).value ?? {};

/** A member of a request, whether the whole is right or not. */
export const memberOf = (body: Json, name: "metadata" | "spec"): Json =>
  isObject(body) ? (body[name] ?? {}) : {};

export function membersOf(body: Json, name: "metadata" | "spec"): JsonObject {
  const member = memberOf(body, name);
  return isObject(member) ? member : {};
}
