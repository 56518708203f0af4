import {
  type FieldPath,
  fromFieldSet,
  keyOf,
  type Leaves,
  leadsTo,
  leavesOf,
  overlap,
  ownedMetadata,
  type Part,
  printPath,
  readField,
  removeField,
  toFieldSet,
  writeField,
} from "./fields.ts";
import type { KubeInput, KubeObject, ManagedFields } from "./object.ts";
import { isObject, sameJson } from "./paths.ts";
import { applyConflict } from "./status.ts";

/** The writer of a change, as managedFields record it. `time` is an RFC 3339 timestamp. */
export interface Writer {
  manager: string;
  time: string;
  part: Part;
}

interface Owner {
  entry: ManagedFields;
  leaves: Leaves;
}

/**
 * Server-side apply: the live object with the fields of `applied`, without fields that this manager applied before and
 * now omits, unless another manager owns them too. Throws 409 when another manager owns a changed field, unless `force`
 * takes it over.
 */
export function applyFields(
  live: KubeObject,
  applied: KubeInput,
  writer: Writer,
  force: boolean,
): KubeObject {
  const wanted = leavesOf(withoutNulls(applied), writer.part);
  const owners = readOwners(live);
  const mine = owners.find((owner) => isEntryOf(owner.entry, "Apply", writer));
  const others = owners.filter((owner) => owner !== mine);

  const changed = [...wanted.values()].filter(
    (path) => !holds(readField(live, path), readField(applied, path)),
  );
  const contested = others.flatMap((owner) =>
    [...owner.leaves.values()]
      .filter((owned) => changed.some((path) => overlap(owned, path)))
      .map((field) => ({ owner, field })),
  );
  if (contested.length > 0 && !force) {
    throw applyConflict(
      contested.map(({ owner, field }) => ({
        manager: describe(owner.entry),
        field: printPath(field),
      })),
    );
  }
  for (const { owner, field } of contested) owner.leaves.delete(keyOf(field));

  const result = structuredClone(live);
  const isOwned = (path: FieldPath) => others.some((owner) => owner.leaves.has(keyOf(path)));
  const isWanted = (path: FieldPath) => wanted.has(keyOf(path));
  for (const path of mine?.leaves.values() ?? []) {
    const deeper = [...wanted.values()].some((other) => leadsTo(path, other));
    const shared = others.some((owner) => [...owner.leaves.values()].some((o) => overlap(o, path)));
    if (deeper || shared) continue;
    removeField(result, path, (parent) => isOwned(parent) || isWanted(parent));
  }
  for (const path of wanted.values()) writeField(result, path, readField(applied, path));

  const entry = entryOf("Apply", writer, applied.apiVersion, wanted, mine?.entry);
  return withOwners(result, replaceOwner(owners, mine, { entry, leaves: wanted }));
}

/** Records an update or a patch: the writer now owns the changed fields, and removed fields have no owner. */
export function trackUpdate(
  before: KubeObject | undefined,
  after: KubeObject,
  writer: Writer,
): KubeObject {
  if (before && writer.part === "main" && isOfStatusAlone(before, after))
    return withManagersOf(before, after);
  const changed: Leaves = new Map();
  for (const [key, path] of leavesOf(after, writer.part)) {
    const same = before && sameJson(readField(before, path), readField(after, path));
    if (!same) changed.set(key, path);
  }
  const owners = before ? readOwners(before) : [];
  const mine = owners.find((owner) => isEntryOf(owner.entry, "Update", writer));
  for (const owner of owners) {
    for (const [key, path] of owner.leaves) {
      if (readField(after, path) === undefined) owner.leaves.delete(key);
      else if ([...changed.values()].some((other) => overlap(path, other)))
        owner.leaves.delete(key);
    }
  }
  const leaves = new Map([...(mine?.leaves ?? []), ...changed]);
  const entry = entryOf("Update", writer, after.apiVersion, leaves, mine?.entry);
  return withOwners(after, replaceOwner(owners, mine, { entry, leaves }));
}

/** Whether only fields without an owner change: operators write status very often, and it has no owner. */
function isOfStatusAlone(before: KubeObject, after: KubeObject): boolean {
  const { managedFields } = before.metadata;
  if (!managedFields || managedFields.some((entry) => entry.subresource !== undefined))
    return false;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return (
    [...names].every((name) => unowned.has(name) || before[name] === after[name]) &&
    ownedMetadata.every((name) => sameJson(before.metadata[name], after.metadata[name]))
  );
}

const unowned = new Set(["apiVersion", "kind", "metadata", "status"]);

const withManagersOf = (before: KubeObject, after: KubeObject): KubeObject => ({
  ...after,
  metadata: { ...after.metadata, managedFields: before.metadata.managedFields },
});

/** Whether a value contains the desired one; a desired empty map is contained in any map. */
function holds(value: unknown, wanted: unknown): boolean {
  const asksForMap = isObject(wanted) && Object.keys(wanted).length === 0;
  return asksForMap ? isObject(value) : sameJson(value, wanted);
}

function readOwners(object: KubeObject): Owner[] {
  const entries = object.metadata.managedFields ?? [];
  return entries.map((entry) => ({ entry, leaves: fromFieldSet(entry.fieldsV1) }));
}

/** Replaces an owner at the same position, so that an apply without changes keeps the order. */
function replaceOwner(owners: Owner[], old: Owner | undefined, owner: Owner): Owner[] {
  return old ? owners.map((other) => (other === old ? owner : other)) : [...owners, owner];
}

function withOwners(object: KubeObject, owners: Owner[]): KubeObject {
  const managedFields = owners
    .filter((owner) => owner.leaves.size > 0)
    .map(({ entry, leaves }) => ({ ...entry, fieldsV1: toFieldSet(leaves) }));
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

function isEntryOf(entry: ManagedFields, operation: string, writer: Writer): boolean {
  const part: Part = entry.subresource === "status" ? "status" : "main";
  return entry.manager === writer.manager && entry.operation === operation && part === writer.part;
}

/** An entry keeps its time while its fields stay the same, so that a repeated apply changes nothing. */
function entryOf(
  operation: ManagedFields["operation"],
  writer: Writer,
  apiVersion: string,
  leaves: Leaves,
  previous: ManagedFields | undefined,
): ManagedFields {
  const fieldsV1 = toFieldSet(leaves);
  if (previous && sameJson(previous.fieldsV1, fieldsV1)) return previous;
  return {
    manager: writer.manager,
    operation,
    apiVersion,
    time: writer.time,
    fieldsType: "FieldsV1",
    fieldsV1,
    ...(writer.part === "status" && { subresource: "status" }),
  };
}

/** A manager as the server prints it; an update is printed with its time. */
function describe(entry: ManagedFields): string {
  const subresource = entry.subresource ? ` with subresource "${entry.subresource}"` : "";
  const update = entry.operation === "Update" ? ` using ${entry.apiVersion} at ${entry.time}` : "";
  return `"${entry.manager}"${subresource}${update}`;
}

/** Removes null members: a null in an applied object means an absent field. */
function withoutNulls<T>(value: T): T {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  // Safe: the type is that of the members that are not null.
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)])) as T;
}
