import { AppError, type Violation } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { refuseViolations } from "../input/parse.ts";
import type { Json } from "../input/shape.ts";
import { areCountedAlike } from "../object/keys.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { oncePerCounter } from "../store/once-per-counter.ts";
import { optimistically } from "../store/optimistically.ts";
import type { Write } from "../store/store.ts";
import type { Caller } from "./caller.ts";
import { type Accepted, type CreateOptions, writeLimit } from "./checks.ts";
import type { Built, Definition, RulesDeps, WireInput } from "./definition.ts";
import { onceUnder, remember } from "./idempotency.ts";
import { type Asked, askedFor, builtFrom, madeOf } from "./new-object.ts";
import { SecretsOfRequest } from "./secrets-of-request.ts";
import { tenantWrites } from "./tenant.ts";

/** One of the objects of a request. */
export interface Joining<K extends Kind, Input> extends Asked<Input> {
  built: Built<K>;
}

export interface Together<K extends Kind, Input> extends CreateOptions {
  /** Adds the members from the joint request to each record, with further writes. Adds violations to `violations`. */
  join(
    joining: Joining<K, Input>[],
    violations: Violation[],
  ): Promise<{ record: Partial<ObjectOf[K]>; writes: Write[] }>;
}

/**
 * Creates all of these objects of one kind, or none, in one transaction. Throws the errors of a single creation; their
 * fields begin with the place of the object, such as `items[3].`.
 */
export async function createTogether<K extends Kind, Input extends WireInput, D extends RulesDeps>(
  deps: D,
  caller: Caller,
  definition: Definition<K, Input, D>,
  bodies: Json[],
  { idempotency, join }: Together<K, Input>,
): Promise<Accepted<K>[]> {
  const { store, clock } = deps;
  const asked = askedForAll(deps, caller, definition, bodies);
  const { results } = await SecretsOfRequest.around(deps.secrets, (secrets) =>
    optimistically<{ results: Accepted<K>[]; replayed?: boolean }>(store, () => {
      const now = clock.now();
      return onceUnder(deps, caller, idempotency, now, {
        replay: (object: ObjectOf[K], others) => {
          const results = [object, ...others].map((each) => ({ object: each, replayed: true }));
          return { writes: [], result: { results, replayed: true } };
        },
        accept: async () => {
          const violations = asked.flatMap((each, n) => placed(n, each.violations));
          const joining: Joining<K, Input>[] = [];
          for (const [n, each] of asked.entries()) {
            const found: Violation[] = [];
            joining.push({
              ...each,
              built: await builtFrom(deps, caller, definition, each, { violations: found }),
            });
            violations.push(...placed(n, found));
          }
          refuseNamedAlike(asked, violations);
          refuseViolations(violations);
          const { record, writes: further } = await join(joining, violations);
          refuseViolations(violations);
          const made = await Promise.all(
            joining.map(({ built, ...each }) => {
              const whole = { ...built, record: { ...built.record, ...record } };
              return madeOf(deps, caller, definition, each, whole);
            }),
          );
          secrets.begin(...joining.flatMap(({ built }) => built.secret ?? []));
          const first = asked[0] ? await tenantWrites(deps, asked[0].tenant) : [];
          await secrets.stored();
          const [object, ...others] = made.map((each) => each.object);
          const writes = [
            ...oncePerCounter([...made.flatMap((each) => each.writes), ...further]),
            ...first,
            ...(idempotency && object
              ? [remember(caller.tenant, idempotency, object, now, others)]
              : []),
          ];
          refuseTooMany(writes, made.length);
          const results = made.map(({ object, operation }) => ({
            object,
            ...(operation !== undefined && { operation }),
          }));
          return { writes, result: { results } };
        },
      });
    }),
  );
  return results;
}

/** The field of one object in the request. */
const fieldOf = (n: number): string => `items[${n}]`;

const placed = (n: number, violations: Violation[]): Violation[] =>
  violations.map(({ field, message }) => ({ field: `${fieldOf(n)}.${field}`, message }));

function askedForAll<K extends Kind, Input extends WireInput, D extends Deps>(
  deps: D,
  caller: Caller,
  definition: Definition<K, Input, D>,
  bodies: Json[],
): Asked<Input>[] {
  const asked: Asked<Input>[] = [];
  const own = { ...deps, newId: () => idLike(deps, asked[0]?.id) };
  for (const body of bodies) asked.push(askedFor(own, caller, definition, body));
  return asked;
}

/** An id that uses the same counter shards as the first object, so that one transaction has room for many objects. */
function idLike({ newId }: Deps, first: string | undefined): string {
  let id = newId();
  while (first !== undefined && !areCountedAlike(first, id)) id = newId();
  return id;
}

function refuseNamedAlike<Input extends WireInput>(
  asked: Asked<Input>[],
  violations: Violation[],
): void {
  for (const [n, { id, input }] of asked.entries()) {
    const other = asked.findIndex((each) => each.input.metadata.name === input.metadata.name);
    const same = asked.findIndex((each) => each.id === id);
    const refuse = (field: string, as: number) =>
      violations.push({
        field: `${fieldOf(n)}.${field}`,
        message: `is also that of ${fieldOf(as)}`,
      });
    if (other < n) refuse("metadata.name", other);
    if (same < n) refuse("id", same);
  }
}

/** The audit takes an entry for each object. */
function refuseTooMany(writes: Write[], count: number): void {
  const limit = writeLimit - (count - 1);
  if (writes.length <= limit) return;
  const message = `so many at once need ${writes.length} writes; ${limit} is the limit: ask for fewer, or with fewer labels`;
  throw new AppError("Invalid", message);
}
