import { expect, vi } from "vitest";
import { isKind } from "../../core/error.ts";
import type { JsonObject } from "../../core/kernel/input/shape.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { mustLoad, putNew } from "../../core/kernel/object/records.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import type { Accepted } from "../../core/kernel/request/checks.ts";
import { createObject, deleteObject, updateObject } from "../../core/kernel/request/crud.ts";
import type { Definition, WireInput } from "../../core/kernel/request/definition.ts";
import { api as quotas } from "../../core/resources/quota/api.ts";
import { type TestDeps, testDeps } from "./deps.ts";
import { ann, root } from "./orders.ts";
import { type Retried, retryObject } from "./retry.ts";

/** Requests of a tenant that are refused, with nothing but records behind what they refer to. */

/** A composition whose store has these objects. */
export async function depsWith(...records: ObjectOf[Kind][]): Promise<TestDeps> {
  const deps = testDeps();
  for (const record of records) await deps.store.transact(putNew(deps.kinds, record));
  return deps;
}

/**
 * Why a request is refused: its faults with their fields, sorted, or the message of an error without faults. Fails
 * for one that is accepted, or that has written something.
 */
export async function whyRefused(
  deps: TestDeps,
  request: () => Promise<unknown>,
): Promise<string[]> {
  const transact = vi.spyOn(deps.store, "transact");
  const error = await request().then(
    () => new Error("it was accepted"),
    (thrown: unknown) => thrown,
  );
  expect(transact).not.toHaveBeenCalled();
  transact.mockRestore();
  if (isKind(error, "Invalid"))
    return error.violations.map(({ field, message }) => `${field}: ${message}`).toSorted();
  if (isKind(error, "FailedPrecondition") || isKind(error, "QuotaExceeded")) return [error.message];
  throw error;
}

/** A quota of tenant-a that allows nothing of this sort. */
export const forbid = (deps: TestDeps, dimension: string) =>
  createObject(deps, root, quotas.rules, {
    metadata: { name: "none", tenant: "tenant-a" },
    spec: { limits: { [dimension]: 0 } },
  });

/** Why an order of this spec is refused. */
export const refusedOrder = <K extends Kind, Input extends WireInput>(
  deps: TestDeps,
  rules: Definition<K, Input>,
  spec: object,
  { caller = ann, ...metadata }: { caller?: Caller; project?: string } = {},
): Promise<string[]> =>
  whyRefused(deps, () =>
    createObject(deps, caller, rules, asJson({ metadata: { name: "wrong", ...metadata }, spec })),
  );

/** Changes these members of an object's spec; for kinds that show their spec as it is stored. */
export async function changeSpec<K extends Kind, Input extends WireInput>(
  deps: TestDeps,
  rules: Definition<K, Input>,
  id: string,
  members: object,
): Promise<Accepted<K>> {
  const { metadata, spec } = await mustLoad(deps, rules.kind, id);
  const { name, tenant } = metadata;
  const shown = { metadata: { name, tenant }, spec };
  return updateObject(deps, ann, rules, id, {
    shown: () => asJson(shown),
    edited: () => asJson({ ...shown, spec: { ...spec, ...members } }),
  });
}

/** Why a change of these members of an object's spec is refused. */
export const refusedChange = <K extends Kind, Input extends WireInput>(
  deps: TestDeps,
  rules: Definition<K, Input>,
  id: string,
  members: object,
): Promise<string[]> => whyRefused(deps, () => changeSpec(deps, rules, id, members));

/** Why a retry of an object is refused. */
export const refusedRetry = <K extends Kind>(
  deps: TestDeps,
  rules: Retried<K>,
  id: string,
): Promise<string[]> => whyRefused(deps, () => retryObject(deps, rules, id));

/** Why a deletion of an object is refused. */
export const refusedDeletion = <K extends Kind, Input extends WireInput>(
  deps: TestDeps,
  rules: Definition<K, Input>,
  id: string,
  caller = ann,
): Promise<string[]> => whyRefused(deps, () => deleteObject(deps, caller, rules, id));

const asJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value));
