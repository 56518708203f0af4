import type * as z from "zod";
import { systemMetadata } from "../../core/kernel/input/reference.ts";
import type { Json, JsonObject } from "../../core/kernel/input/shape.ts";
import { metadataInputSchema } from "../../core/kernel/object/metadata.ts";
import { type Kind, oneOf, pluralOf } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { kindActionsOf } from "../../core/kernel/request/api-of.ts";
import { begun } from "../../core/kernel/request/begun.ts";
import { type Caller, mustSee } from "../../core/kernel/request/caller.ts";
import type {
  Accepted,
  CreateOptions,
  Match,
  UpdateOptions,
} from "../../core/kernel/request/checks.ts";
import { createObject, deleteObject, updateObject } from "../../core/kernel/request/crud.ts";
import type { Definition, LiveStatus, WireInput } from "../../core/kernel/request/definition.ts";
import type { Area, Verb } from "../../core/kernel/request/permissions.ts";
import type { RequestDeps } from "../../core/kernel/request/request-deps.ts";
import { actionRoutes } from "./actions.ts";
import { acceptedAnswer, deletedAnswer, objectAnswer } from "./answer.ts";
import type { Call } from "./call.ts";
import { historyRoute } from "./history.ts";
import { listAnswer, pageSchema, readList } from "./list/list.ts";
import { livesOf, readLives } from "./live.ts";
import { permissions } from "./permissions.ts";
import { idempotencyOf, matchOf, mergeOf, updateOptions } from "./preconditions.ts";
import { view } from "./registry.ts";
import { prefixes, type Route, route } from "./route.ts";
import { apiOf, schemaIn } from "./schemas.ts";

/** The five verbs of a kind, however the kind accepts changes. */
export interface Collection<K extends Kind> {
  kind: K;
  schema?: z.ZodType;
  /** The schema of a POST for a kind in which some members follow from others and may be left out. */
  newSchema?: () => z.ZodType;
  create?(
    deps: RequestDeps,
    caller: Caller,
    body: Json,
    options: CreateOptions,
  ): Promise<Accepted<K>>;
  /** The tenant of a new object, unless the request names one. */
  tenant?: Definition<K>["tenant"];
  update?(
    deps: RequestDeps,
    caller: Caller,
    id: string,
    edited: (shown: JsonObject) => JsonObject,
    options: UpdateOptions,
  ): Promise<Accepted<K>>;
  remove?(deps: RequestDeps, caller: Caller, id: string, match: Match): Promise<Accepted<K>>;
  live?: LiveStatus<K>;
}

/** The collection of a kind that people write. */
export function collectionOf<K extends Kind, Input extends WireInput>(
  definition: Definition<K, Input>,
): Collection<K> {
  const { kind, schema, nameFromId } = definition;
  let named: z.ZodType | undefined;
  return {
    kind,
    schema,
    ...(nameFromId && {
      newSchema: () => (named ??= schema.extend({ metadata: optionalMetadata })),
    }),
    create: (deps, caller, body, options) => createObject(deps, caller, definition, body, options),
    tenant: definition.tenant,
    update: (deps, caller, id, edited, options) => {
      const shown = (object: ObjectOf[K]) => view(object, { profile: "slipway", private: true });
      return updateObject(deps, caller, definition, id, { shown, edited }, options);
    },
    remove: (deps, caller, id, match) => deleteObject(deps, caller, definition, id, match),
    ...(definition.live ? { live: definition.live } : {}),
  };
}

/** The metadata of an object without a name, which gets its id as its name. */
const optionalMetadata = metadataInputSchema
  .extend(systemMetadata)
  .partial({ name: true })
  .optional();

/** The routes of a collection that the table of permissions allows in an area. */
export function collectionRoutes<K extends Kind>(area: Area, collection: Collection<K>): Route[] {
  const { kind, schema, create, tenant, update, remove } = collection;
  const newSchema = collection.newSchema ?? (schema && (() => schema));
  const path = `${prefixes[area]}/${pluralOf(kind)}`;
  const object = () => schemaIn(area, kind);
  const lives = livesOf(kind, collection.live);
  const one = oneOf(kind);
  const allowed: Partial<Record<Kind, Partial<Record<Verb, unknown>>>> = permissions[area];
  const may = (verb: Verb) => allowed[kind]?.[verb] !== undefined;
  const readOne = (call: Call) => {
    const { deps, caller } = call;
    const search = mustSee(deps, caller, kind, call.param("id"));
    const found = begun(search.then((object) => [object]));
    return Promise.all([search, readLives(lives, deps, caller, found)]);
  };
  const routes: Route[] = [];
  const add = (verb: Verb, rest: Omit<Route, "area" | "subject" | "verb">) => {
    if (may(verb)) routes.push(route({ area, subject: kind, verb, ...rest }));
  };

  add("list", {
    method: "GET",
    path,
    summary: `List ${pluralOf(kind).replaceAll("_", " ")}`,
    query: [
      ...(["filter", "order", "limit", "offset", "page_token", "ids_only"] as const),
      ...(apiOf(kind).ignored ?? []),
    ],
    response: () => pageSchema(object()),
    begins: (call) => readList(call, kind, lives),
    handle: (call) => listAnswer(call, kind, lives),
  });
  add("get", {
    method: "GET",
    path: `${path}/{id}`,
    summary: `Get ${one}`,
    response: object,
    begins: readOne,
    handle: async (call) => {
      const [object, live] = await readOne(call);
      return objectAnswer(call, object, live[0]);
    },
  });
  if (newSchema && create) {
    add("create", {
      method: "POST",
      path,
      summary: `Create ${one}`,
      query: ["dry_run"],
      headers: ["Idempotency-Key", "X-Dry-Run"],
      get body() {
        return newSchema();
      },
      response: object,
      ...(tenant && { creates: tenant }),
      handle: (call) => createAnswer(call, kind, newSchema(), create),
    });
  }
  if (schema && update) {
    add("update", {
      method: "PATCH",
      path: `${path}/{id}`,
      summary: `Change ${one}`,
      query: ["update_mask", "lock", "dry_run"],
      headers: ["If-Match", "X-Dry-Run"],
      body: schema,
      partial: true,
      response: object,
      handle: async (call) => {
        const body = await call.body(schema);
        const merge = mergeOf(call, schema, body);
        return acceptedAnswer(
          call,
          await update(call.deps, call.caller, call.param("id"), merge, updateOptions(call, body)),
        );
      },
    });
  }
  if (remove) {
    add("delete", {
      method: "DELETE",
      path: `${path}/{id}`,
      summary: `Delete ${one}`,
      query: ["dry_run"],
      headers: ["If-Match", "X-Dry-Run"],
      handle: async (call) =>
        deletedAnswer(call, await remove(call.deps, call.caller, call.param("id"), matchOf(call))),
    });
  }
  routes.push(...actionRoutes(area, kind, kindActionsOf(apiOf(kind))));
  if (may("history")) routes.push(historyRoute(area, kind));
  return routes;
}

async function createAnswer<K extends Kind>(
  call: Call,
  kind: K,
  schema: z.ZodType,
  create: NonNullable<Collection<K>["create"]>,
): Promise<Response> {
  const body = await call.body(schema);
  const idempotency = call.trial ? undefined : idempotencyOf(call, kind, body);
  const options = idempotency ? { idempotency } : {};
  return acceptedAnswer(call, await create(call.deps, call.caller, body, options));
}
