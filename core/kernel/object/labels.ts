import type { Item, Write } from "../store/store.ts";
import { labelKeyPartition, labelKindPartition, labelPartition } from "./keys.ts";
import { definitionOf, type Kinds } from "./kind.ts";
import type { Label } from "./metadata.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import { projectOf } from "./project.ts";

/**
 * The entries of labels, so that a list that is filtered by a label reads only the objects with it. The
 * transaction that changes an object's labels writes them, so they never lag. An entry holds only the object's
 * id, so other changes of the object do not change it.
 */

/** The entry of an object under one of its labels. */
export function labelEntry(kinds: Kinds, object: ObjectOf[Kind], label: Label): Item {
  const { kind, id, metadata } = object;
  const created = `${metadata.creation_timestamp}#${id}`;
  const pk = labelPartition(kind, metadata.tenant, label);
  const project = definitionOf(kinds, kind).inProjects ? projectOf(kinds, object) : undefined;
  return {
    ...{ pk, sk: created, id },
    // For members of projects: by the path of the project, then in order of creation.
    ...(project === undefined ? {} : { g1pk: pk, g1sk: `${project}#${created}` }),
    // For administrators: all tenants together.
    ...{ g4pk: labelKindPartition(kind, label), g4sk: created },
    ...ofAnyValue(kind, metadata.tenant, label, created, project),
  };
}

/**
 * Index entries for filters that ask only whether a label of the key exists; an empty value counts as none. There is no
 * such list across tenants.
 */
function ofAnyValue(
  kind: Kind,
  tenant: string,
  { key, value }: Label,
  created: string,
  project: string | undefined,
): Record<string, string> {
  if (value === "") return {};
  const pk = labelKeyPartition(kind, tenant, key);
  return {
    ...{ g2pk: pk, g2sk: created },
    ...(project === undefined ? {} : { g3pk: pk, g3sk: `${project}#${created}` }),
  };
}

/**
 * The writes of label entries for a write that creates, changes or deletes an object (undefined: the
 * object does not exist). Every change of an object's labels needs them.
 */
export function labelWrites(
  kinds: Kinds,
  before: ObjectOf[Kind] | undefined,
  after: ObjectOf[Kind] | undefined,
): Write[] {
  return [
    ...without(after, before).map(({ object, label }) => ({
      put: labelEntry(kinds, object, label),
    })),
    ...without(before, after).map(({ object, label }) => {
      const { pk, sk } = labelEntry(kinds, object, label);
      return { delete: { pk, sk } };
    }),
  ];
}

/** The labels of one object that another object lacks. */
function without(object: ObjectOf[Kind] | undefined, other: ObjectOf[Kind] | undefined) {
  if (!object) return [];
  const others = other?.metadata.labels ?? {};
  return Object.entries(object.metadata.labels)
    .filter(([key, value]) => others[key] !== value)
    .map(([key, value]) => ({ object, label: { key, value } }));
}
