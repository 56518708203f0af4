import {
  failedPartition,
  foundPartition,
  foundPrefix,
  tenantPartition,
  usersPartition,
} from "../../../core/kernel/object/keys.ts";
import { sharedTenant } from "../../../core/kernel/object/metadata.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import { type Caller, isPlausibleId, sees } from "../../../core/kernel/request/caller.ts";
import type { Store } from "../../../core/kernel/store/store.ts";
import { definitionOf, kinds } from "../registry.ts";
import { apiOf } from "../schemas.ts";
import { byWork } from "./by-work.ts";
import { type Required, type Test, textsOf } from "./required.ts";
import { countIn, type Narrowed, naming, type Part, type Source, stored } from "./source.ts";

/**
 * Lists of objects by members that an index has, in the order of its keys: the kinds' `foundBy` and
 * `isListedByName`.
 */

export interface FoundObjects extends Source {
  /** Whether the parts contain exactly the objects that the filter selects. */
  isAll: boolean;
}

/** The most combinations of values of all members: each combination is a part of the list. */
const mostPrefixes = 40;

/** The objects to which an index narrows a filter; undefined where none does. */
export function found(
  store: Store,
  kind: Kind,
  caller: Caller,
  filter: Required,
): FoundObjects | undefined {
  const { required, isAllRequired } = filter;
  const narrowed =
    byUse(store, kind, required) ??
    byLookup(store, kind, caller, required) ??
    byMembers(store, kind, caller, required) ??
    byName(store, kind, caller, required) ??
    byWork(store, kind, caller, required) ??
    byTenant(store, kind, caller, required);
  if (!narrowed) return undefined;
  const { parts, used, has = () => true } = narrowed;
  // A caller with roles in projects sees only some of a tenant's objects, so each is checked.
  const isJudged = caller.projects !== undefined && definitionOf(kind).inProjects === true;
  return {
    parts,
    isIn: (object) => sees(kinds, caller, object) && has(object),
    total: () => countIn(parts),
    isCounted: true,
    isAll: isAllRequired && !isJudged && required.every((tests) => used.has(tests)),
  };
}

/**
 * Objects that use another object: the servers in a subnet by `"<id>" in this.status.subnets`, or the DPUs of a
 * host by `this.spec.host.id == "<id>"`.
 */
function byUse(store: Store, kind: Kind, required: Test[][]): Narrowed | undefined {
  for (const { path, kind: used } of apiOf(kind).uses ?? [])
    for (const tests of required) {
      const [id, ...more] = new Set(tests.map((test) => usedIn(test, `this.${path}`)));
      if (id === undefined || more.length > 0) continue;
      const pk = usersPartition(used, id);
      // Each object is still checked, since the used object may be another tenant's.
      return { parts: [users(store, kind, pk)], used: new Set() };
    }
  return undefined;
}

/** The id that a test requires at a path: as an item of a list of ids, or as the only id. */
function usedIn({ path, text, prefix }: Test, at: string): string | undefined {
  if (path.startsWith(`${at}.`)) return path.slice(at.length + 1);
  return path === at && prefix === undefined && text !== "" ? text : undefined;
}

/** The objects of a kind that use an object. */
function users(store: Store, kind: Kind, pk: string): Part {
  const prefix = `${kind}#`;
  return naming(stored(store, { pk, range: { prefix } }), ({ sk }) => sk.slice(prefix.length));
}

/** Objects by a value that has index entries, such as the hosts that an owner holds. */
function byLookup<K extends Kind>(
  store: Store,
  kind: K,
  caller: Caller,
  required: Test[][],
): Narrowed | undefined {
  for (const { path, partitions, ofAllTenants, has } of apiOf(kind).lookups ?? [])
    for (const tests of required) {
      const values = textsOf(tests, `this.${path}`);
      if (!values || (ofAllTenants && !caller.everywhere)) continue;
      const looked = values.map((value) => (isPlausibleId(value) ? partitions(value) : []));
      if (looked.includes(undefined)) continue;
      const parts = looked.flatMap((each) => each ?? []).map((each) => stored(store, each));
      if (!has) return { parts, used: new Set() };
      // A kind's lists contain only objects of that kind.
      const of = (object: ObjectOf[Kind]) => object as ObjectOf[K];
      return {
        ...{ parts, used: new Set([tests]) },
        has: (object) => values.some((value) => has(of(object), value)),
      };
    }
  return undefined;
}

function byMembers(
  store: Store,
  kind: Kind,
  caller: Caller,
  required: Test[][],
): Narrowed | undefined {
  const used = new Set<Test[]>();
  const narrowing = new Set<Test[]>();
  let prefixes: string[][] = [[]];
  for (const { path, values, liesAs = {} } of definitionOf(kind).stored?.foundBy ?? []) {
    const tests = required.find((each) => textsOf(each, `this.${path}`) !== undefined);
    const texts =
      (tests && textsOf(tests, `this.${path}`)) ??
      (path === "metadata.tenant" && !caller.everywhere ? [caller.tenant] : values);
    const isLast = !required.some((each) => !narrowing.has(each) && each !== tests);
    if (!texts || prefixes.length * texts.length > mostPrefixes) break;
    // The last member needs no list of values.
    if (!tests && isLast && path !== "metadata.tenant") break;
    if (tests) narrowing.add(tests);
    const shared = new Set(Object.entries(liesAs).flat());
    if (tests && !texts.some((text) => shared.has(text))) used.add(tests);
    const lying = [...new Set(texts.map((text) => liesAs[text] ?? text))];
    prefixes = prefixes.flatMap((before) => lying.map((text) => [...before, text]));
  }
  if (narrowing.size === 0) return undefined;
  const pks = [foundPartition(kind), failedPartition(kind)];
  const parts = prefixes.flatMap((values) =>
    pks.map((pk) => stored(store, { pk, index: "g2", range: { prefix: foundPrefix(values) } })),
  );
  return { parts, used };
}

/** The provider's objects by name, or by a prefix of it. */
function byName(
  store: Store,
  kind: Kind,
  caller: Caller,
  required: Test[][],
): Narrowed | undefined {
  if (!definitionOf(kind).stored?.isListedByName || !caller.everywhere) return undefined;
  for (const tests of required) {
    const [test, ...more] = tests;
    if (test?.path !== "this.metadata.name" || more.length > 0) continue;
    const prefix = test.prefix ?? (test.text && `${test.text}#`);
    if (!prefix) continue;
    const pk = tenantPartition(kind, sharedTenant);
    return {
      parts: [stored(store, { pk, index: "g1", range: { prefix } })],
      used: new Set([tests]),
    };
  }
  return undefined;
}

/** The objects of one or several tenants, for a caller who sees all tenants. */
function byTenant(
  store: Store,
  kind: Kind,
  caller: Caller,
  required: Test[][],
): Narrowed | undefined {
  const tests = required.find((each) => textsOf(each, "this.metadata.tenant"));
  const tenants = tests && textsOf(tests, "this.metadata.tenant");
  if (!tenants || !caller.everywhere) return undefined;
  return {
    parts: tenants.map((tenant) =>
      stored(store, { pk: tenantPartition(kind, tenant), index: "g1" }),
    ),
    used: new Set([tests]),
  };
}
