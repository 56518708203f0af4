import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../clock.ts";
import { AppError, type Violation } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { keepFormer } from "../events/former.ts";
import { createdEvent, withLastEvent } from "../events/outbox.ts";
import { rewritten } from "../events/rewrite.ts";
import { parseLeniently, refuseViolations } from "../input/parse.ts";
import { isObject, type Json, type JsonObject } from "../input/shape.ts";
import { labelWrites } from "../object/labels.ts";
import { type Metadata, sharedTenant } from "../object/metadata.ts";
import type { Kind, Outbox } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { archive, firstSequence, putChanged, putNew } from "../object/records.ts";
import { opening, useWrites } from "../object/uses.ts";
import { optimistically } from "../store/optimistically.ts";
import { type Caller, checkProject, mustOwn, tenantFor } from "./caller.ts";
import {
  type Accepted,
  type CreateOptions,
  type Match,
  newMetadata,
  refuseChosen,
  refuseStale,
  refuseTaken,
  refuseTooLarge,
  refuseTooMuch,
  type UpdateOptions,
} from "./checks.ts";
import type { Definition, Ordered, WireInput } from "./definition.ts";
import { onceUnder, remember } from "./idempotency.ts";
import { closing } from "./in-use.ts";
import { changedMetadata } from "./metadata.ts";
import { References } from "./references.ts";
import { SecretsOfRequest } from "./secrets-of-request.ts";
import { tenantWrites } from "./tenant.ts";

/** Creates, changes and deletes the objects of a definition, in one transaction each. */

/** Creates an object. Throws Invalid with every violation, AlreadyExists, IdempotencyMismatch, Forbidden. */
export async function createObject<K extends Kind, Input extends WireInput>(
  deps: Deps,
  caller: Caller,
  definition: Definition<K, Input>,
  body: Json,
  { idempotency }: CreateOptions = {},
): Promise<Accepted<K>> {
  const { kind } = definition;
  const { store, clock } = deps;
  const whole = definition.nameFromId ? named(body) : body;
  const { value: input, violations } = parseLeniently(definition.schema, whole);
  if (!input) refuseViolations(violations);
  if (!input) throw new AppError("Internal", "a request was refused without saying why");
  refuseChosen(caller, input, violations);
  const id = idOf(deps, definition, input, violations);
  const tenant = tenantOf(caller, definition, input);
  await checkProject(deps, caller, tenant, input.metadata.project, violations);

  return SecretsOfRequest.around(deps.secrets, (secrets) =>
    optimistically<Accepted<K>>(
      store,
      () => {
        const now = clock.now();
        return onceUnder(deps, caller, idempotency, now, {
          replay: async (object: ObjectOf[K]) => {
            const revealed = await definition.revealedBy?.(deps, object, input);
            return {
              writes: [],
              result: { ...accepted({ object }, { revealed }), replayed: true },
            };
          },
          accept: async () => {
            const found = [...violations];
            const built = await definition.build({
              deps,
              caller,
              id,
              tenant,
              input,
              before: undefined,
              violations: found,
              references: new References(deps, tenant, found),
            });
            refuseViolations(found);
            const named = { ...input.metadata, ...built.metadata };
            const metadata = newMetadata(named, caller, tenant, timestamp(now));
            const chosen = input.id !== undefined || !!definition.idIsName;
            const former = await refuseTaken(deps, kind, { id, chosen, metadata });
            const event = createdEvent(kind, timestamp(now), firstSequence(deps.kinds, former));
            const made = newObject(kind, id, metadata, built, event);
            const ordered = definition.orders?.made(deps, caller, made) ?? unordered(made);
            const { object } = ordered;
            refuseTooLarge(deps.kinds, object);
            if (built.secret) secrets.begin(built.secret);
            const isTenant = definition.tenant === "itself";
            const first = isTenant ? [] : await tenantWrites(deps, tenant);
            await secrets.stored();
            const writes = [
              ...putNew(deps.kinds, object),
              ...opening(deps.kinds, object, chosen),
              ...keepFormer(deps, former, now),
              ...first,
              ...ordered.writes,
              ...(built.writes ?? []),
              ...(idempotency ? [remember(caller.tenant, idempotency, object, now)] : []),
            ];
            return { writes, result: accepted({ ...ordered, object }, built) };
          },
        });
      },
      undefined,
      definition.patience,
    ),
  );
}

/**
 * Changes an object. `wanted` makes the wanted input from the object's present input, in the form that
 * administrators see on the wire.
 */
export function updateObject<K extends Kind, Input extends WireInput>(
  deps: Deps,
  caller: Caller,
  definition: Definition<K, Input>,
  id: string,
  wanted: (current: ObjectOf[K]) => JsonObject,
  options: UpdateOptions = {},
): Promise<Accepted<K>> {
  const { kind } = definition;
  return SecretsOfRequest.around(deps.secrets, (secrets) =>
    optimistically<Accepted<K>>(deps.store, async () => {
      const before = await mustOwn(deps, caller, kind, id);
      refuseStale(before, options);
      const { value: input, violations } = parseLeniently(definition.schema, wanted(before));
      if (!input) refuseViolations(violations);
      if (!input) throw new AppError("Internal", "a change was refused without saying why");
      const metadata = changedMetadata(before.metadata, input.metadata, violations);
      const { tenant } = before.metadata;
      const references = new References(deps, tenant, violations);
      const about = { deps, caller, id, tenant, input, before, violations, references };
      const built = await definition.build(about);
      refuseViolations(violations);
      if (
        isDeepStrictEqual(metadata, before.metadata) &&
        isDeepStrictEqual(built.spec, before.spec)
      ) {
        return { writes: [], result: { object: before } };
      }
      const generation = before.generation + 1;
      const changed = { ...before, ...built.record, metadata, spec: built.spec, generation };
      const ordered =
        definition.orders?.changed(deps, caller, before, changed) ?? unordered(changed);
      const object = rewritten<ObjectOf[K]>(deps.kinds, before, ordered.object, deps.clock.now());
      refuseTooLarge(deps.kinds, object);
      if (built.secret) await secrets.put(built.secret);
      secrets.replaces(without(definition.secrets?.(before), definition.secrets?.(object)));
      const writes = [
        putChanged(deps.kinds, object),
        ...useWrites(deps.kinds, before, object),
        ...labelWrites(deps.kinds, before, object),
        ...ordered.writes,
        ...(built.writes ?? []),
      ];
      refuseTooMuch(writes);
      return { writes, result: accepted({ ...ordered, object }, built) };
    }),
  );
}

/** Deletes an object. Throws NotFound, PreconditionFailed, FailedPrecondition when it is in use. */
export async function deleteObject<K extends Kind, Input extends WireInput>(
  deps: Deps,
  caller: Caller,
  definition: Definition<K, Input>,
  id: string,
  match: Match = {},
): Promise<Accepted<K>> {
  const { orders, remove } = definition;
  if (orders) {
    const further = remove && ((object: ObjectOf[K]) => remove(deps, object));
    return orders.deleted(deps, caller, { id, match, ...(further && { further }) });
  }
  const { store, clock } = deps;
  const accepted = await optimistically<Accepted<K>>(store, async () => {
    const object = await mustOwn(deps, caller, definition.kind, id);
    refuseStale(object, match);
    const others = [
      ...(await closing(deps, caller, object)),
      ...((await definition.remove?.(deps, object)) ?? []),
    ];
    const now = clock.now();
    return {
      writes: [...archive(deps.kinds, withLastEvent(object, now), now), ...others],
      result: { object },
    };
  });
  for (const reference of definition.secrets?.(accepted.object) ?? [])
    await deps.secrets.remove(reference);
  return accepted;
}

/**
 * Adds the name to a request that has only an id. OSAC derives the name in this way:
 * `osac.templates.ocp_small` is `ocp-small`.
 */
function named(body: Json): Json {
  if (!isObject(body) || typeof body.id !== "string") return body;
  const { metadata = {} } = body;
  if (!isObject(metadata) || metadata.name !== undefined) return body;
  const name = body.id.slice(body.id.lastIndexOf(".") + 1).replaceAll("_", "-");
  return { ...body, metadata: { ...metadata, name } };
}

function tenantOf<K extends Kind, Input extends WireInput>(
  caller: Caller,
  { tenant }: Definition<K, Input>,
  { metadata }: Input,
): string {
  if (tenant === "itself") return metadata.name;
  const isShared = tenant === "shared" || caller.everywhere;
  return tenantFor(caller, metadata.tenant, isShared ? sharedTenant : caller.tenant);
}

function idOf<K extends Kind, Input extends WireInput>(
  deps: Deps,
  { idIsName }: Definition<K, Input>,
  { id, metadata }: Input,
  violations: Violation[],
): string {
  if (!idIsName) return id ?? deps.newId();
  if (idIsName === "refused" && id !== undefined && id !== metadata.name) {
    violations.push({ field: "id", message: "must be the same as metadata.name, or be left out" });
  }
  return metadata.name;
}

function newObject<K extends Kind>(
  kind: K,
  id: string,
  metadata: Metadata,
  { spec, status, record }: { spec: unknown; status: unknown; record?: object | undefined },
  event: Outbox,
): ObjectOf[K] {
  // The definition of this kind made spec and status; the compiler cannot follow K that far.
  return {
    ...record,
    kind,
    id,
    metadata,
    generation: 0,
    revision: 1,
    spec,
    status,
    event,
  } as unknown as ObjectOf[K];
}

/** A change that is done once it is written. */
const unordered = <K extends Kind>(object: ObjectOf[K]): Ordered<K> => ({ object, writes: [] });

const accepted = <K extends Kind>(
  { object, operation }: Pick<Ordered<K>, "object" | "operation">,
  { revealed }: { revealed?: JsonObject | undefined },
): Accepted<K> => ({
  object,
  ...(operation !== undefined && { operation }),
  ...(revealed && { revealed }),
});

const without = (these: string[] = [], those: string[] = []): string[] =>
  these.filter((each) => !those.includes(each));
