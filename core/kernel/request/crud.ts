import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import { withLastEvent } from "../events/outbox.ts";
import { written } from "../events/rewrite.ts";
import { parseChange, refuseViolations } from "../input/parse.ts";
import type { Json, JsonObject } from "../input/shape.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { archive } from "../object/records.ts";
import type { Operated } from "../object/traits.ts";
import { oncePerCounter } from "../store/once-per-counter.ts";
import { optimistically } from "../store/optimistically.ts";
import { type Caller, mustOwn } from "./caller.ts";
import {
  type Accepted,
  type CreateOptions,
  type Match,
  refuseStale,
  refuseTooMuch,
  type UpdateOptions,
} from "./checks.ts";
import type { Definition, Edit, Ordered, RulesDeps, WireInput } from "./definition.ts";
import { onceUnder, remember } from "./idempotency.ts";
import { closing } from "./in-use.ts";
import { changedMetadata } from "./metadata.ts";
import { askedFor, builtFrom, madeOf } from "./new-object.ts";
import type { RequestDeps } from "./request-deps.ts";
import { type Secret, SecretsOfRequest } from "./secrets-of-request.ts";
import { builtChange } from "./stored.ts";
import { tenantWrites } from "./tenant.ts";

/** Creates, changes and deletes the objects of a definition, in one transaction each. */

/** Creates an object. Throws Invalid with every violation, AlreadyExists, IdempotencyMismatch, Forbidden. */
export async function createObject<K extends Kind, Input extends WireInput, D extends RulesDeps>(
  deps: D,
  caller: Caller,
  definition: Definition<K, Input, D>,
  body: Json,
  { idempotency }: CreateOptions = {},
): Promise<Accepted<K>> {
  const { store, clock } = deps;
  const { patience, refused } = definition;
  const asked = askedFor(deps, caller, definition, body);

  return SecretsOfRequest.around(deps.secrets, (secrets) =>
    optimistically<Accepted<K>>(
      store,
      () => {
        const now = clock.now();
        return onceUnder(deps, caller, idempotency, now, {
          replay: async (object: ObjectOf[K]) => {
            const revealed = await definition.revealedBy?.(deps, object, asked.input);
            const operation = operationOf(object);
            return {
              writes: [],
              result: { ...accepted({ object, operation }, { revealed }), replayed: true },
            };
          },
          accept: async () => {
            const violations = [...asked.violations];
            const storeEarly = (secret: Secret) => secrets.begin(secret);
            const more = { violations, storeEarly };
            const built = await builtFrom(deps, caller, definition, asked, more);
            refuseViolations(violations);
            const ordered = await madeOf(deps, caller, definition, asked, built);
            const { object } = ordered;
            if (built.secret) secrets.begin(built.secret);
            const isTenant = definition.tenant === "itself";
            const first = isTenant ? [] : await tenantWrites(deps, asked.tenant);
            await secrets.stored();
            const writes = oncePerCounter([
              ...ordered.writes,
              ...first,
              ...(idempotency ? [remember(caller.tenant, idempotency, object, now)] : []),
            ]);
            refuseTooMuch(writes);
            return { writes, result: accepted(ordered, built) };
          },
        });
      },
      refused,
      patience,
    ),
  );
}

/** Changes an object, given in the wire form that administrators see. */
export function updateObject<K extends Kind, Input extends WireInput, D extends RulesDeps>(
  deps: D,
  caller: Caller,
  definition: Definition<K, Input, D>,
  id: string,
  edit: Edit<K>,
  options: UpdateOptions = {},
): Promise<Accepted<K>> {
  const { kind } = definition;
  return SecretsOfRequest.around(deps.secrets, (secrets) =>
    optimistically<Accepted<K>>(deps.store, async () => {
      const before = await mustOwn(deps, caller, kind, id);
      refuseStale(before, options);
      const shown = edit.shown(before);
      const edited = edit.edited(shown);
      const { value: input, violations } = parseChange(definition.schema, { shown, edited });
      if (!input) refuseViolations(violations);
      if (!input) throw new AppError("Internal", "a change was refused without saying why");
      const metadata = changedMetadata(before.metadata, input.metadata, violations);
      const { tenant } = before.metadata;
      const request = { deps, caller, id, tenant, input, before, violations };
      const built = await builtChange({ definition, request, shown, edited, show: edit.shown });
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
      const claimed = (await built.claim?.(ordered.object)) ?? { ...ordered, writes: [] };
      const { object, writes: own } = written<ObjectOf[K]>(deps, before, claimed.object);
      if (built.secret) await secrets.put(built.secret);
      secrets.replaces(without(definition.secrets?.(before), definition.secrets?.(object)));
      const writes = [...own, ...ordered.writes, ...(built.writes ?? []), ...claimed.writes];
      refuseTooMuch(writes);
      return { writes, result: accepted({ ...ordered, object }, built) };
    }),
  );
}

/** Deletes an object. Throws NotFound, PreconditionFailed, FailedPrecondition when it is in use. */
export async function deleteObject<K extends Kind, Input extends WireInput>(
  deps: RequestDeps,
  caller: Caller,
  definition: Definition<K, Input, RequestDeps>,
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

/** A change that needs no operation: it is complete once written. */
const unordered = <K extends Kind>(object: ObjectOf[K]): Ordered<K> => ({ object, writes: [] });

const accepted = <K extends Kind>(
  { object, operation }: { object: ObjectOf[K]; operation?: OperationId | undefined },
  { revealed }: { revealed?: JsonObject | undefined },
): Accepted<K> => ({
  object,
  ...(operation !== undefined && { operation }),
  ...(revealed && { revealed }),
});

/** The operation that carries out the order of an object; undefined for a kind without operations. */
const operationOf = (object: Operated | object): OperationId | undefined =>
  "operation" in object ? object.operation : undefined;

const without = (these: string[] = [], those: string[] = []): string[] =>
  these.filter((each) => !those.includes(each));
