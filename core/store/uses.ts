import { AppError } from "../error.ts";
import { knownNodeSets } from "../model/cluster.ts";
import { hostTypesOf } from "../model/cluster-template.ts";
import { type Kind, plurals } from "../model/object.ts";
import type { ObjectOf } from "../model/object-of.ts";
import { useKey, useKeys } from "./keys.ts";
import {
  all,
  any,
  compare,
  lacks,
  type Store,
  type TransactionRefused,
  type Update,
  type Write,
} from "./store.ts";

/**
 * Templates, versions and host types cannot go while others use them. Each has counters, moved in
 * the transaction that makes, changes or archives a user, and closed in the one that deletes it: so
 * whichever of an order and a deletion comes second is refused. An index could not do that, since it
 * lags behind; a check of the object itself would make all orders meet in one item, where the
 * counters lie in shards. A deletion costs the same whatever there is.
 */

const usedKinds = [
  "cluster_template",
  "cluster_version",
  "host_type",
  "project",
  "cluster_catalog_item",
] as const;
type Used = (typeof usedKinds)[number];
interface Use {
  kind: Used;
  id: string;
}

const userKinds = [
  "cluster",
  "cluster_template",
  "host",
  "project",
  "project_membership",
  "quota",
  "cluster_catalog_item",
] as const;

/** Projects go by their path. */
const usedId = ({ kind, id, metadata }: ObjectOf[Kind]): string =>
  kind === "project" ? `${metadata.tenant}/${metadata.name}` : id;

/** What an object cannot be without, its project included; operations go with their target. */
function usesOf(object: ObjectOf[Kind] | undefined): Use[] {
  const { tenant, project } = object?.metadata ?? {};
  const uses = partsOf(object);
  if (object?.kind === "operation" || project === undefined) return uses;
  return [...uses, { kind: "project", id: `${tenant}/${project}` }];
}

/** Host types and versions go by their name, which is their id. */
function partsOf(object: ObjectOf[Kind] | undefined): Use[] {
  const hostTypes = (ids: Iterable<string>) =>
    [...new Set(ids)].map((id): Use => ({ kind: "host_type", id }));
  switch (object?.kind) {
    case "cluster": {
      const { template, version, catalog_item } = object.spec;
      return [
        ...(catalog_item ? [{ kind: "cluster_catalog_item" as const, id: catalog_item.id }] : []),
        { kind: "cluster_template", id: template.id },
        { kind: "cluster_version", id: version.id },
        ...hostTypes(Object.values(knownNodeSets(object)).map(({ host_type }) => host_type.id)),
      ];
    }
    case "cluster_template": {
      const { version } = object.spec;
      const versions: Use[] =
        version === undefined ? [] : [{ kind: "cluster_version", id: version }];
      return [...versions, ...hostTypes(hostTypesOf(object.spec))];
    }
    case "cluster_catalog_item":
      return [{ kind: "cluster_template", id: object.spec.template.id }];
    case "host":
      return hostTypes([object.spec.host_type]);
    default:
      return [];
  }
}

/**
 * Goes with a write that makes, changes or takes away an object (undefined: it is not there). Who
 * adds a way to change what an object refers to must add these.
 */
export function useWrites(
  before: ObjectOf[Kind] | undefined,
  after: ObjectOf[Kind] | undefined,
): Write[] {
  const user = after ?? before;
  if (!user) return [];
  const [had, has] = [usesOf(before), usesOf(after)];
  const isIn = (uses: Use[], use: Use) =>
    uses.some(({ kind, id }) => kind === use.kind && id === use.id);
  const count = ({ kind, id }: Use, by: number): Update => ({
    update: useKey(kind, id, user.id),
    add: { [plurals[user.kind]]: by },
  });
  return [
    ...has.filter((use) => !isIn(had, use)).map((use) => ({ ...count(use, 1), if: open })),
    ...had.filter((use) => !isIn(has, use)).map((use) => count(use, -1)),
  ];
}

const open = lacks("closed");

/** Lets a new object be used, whose id another may have had long ago. */
export function opening(object: ObjectOf[Kind]): Write[] {
  if (!isUsed(object.kind)) return [];
  return useKeys(object.kind, usedId(object)).map((update) => ({ update, remove: ["closed"] }));
}

/** Goes with the deletion of an object, which nobody can use from then on. Throws FailedPrecondition. */
export async function closing(store: Store, object: ObjectOf[Used]): Promise<Write[]> {
  const { kind, id } = object;
  const keys = useKeys(kind, usedId(object));
  const shards = await store.getMany(keys);
  const users = userKinds.flatMap((user) => {
    const count = shards.reduce((sum, shard) => sum + Number(shard?.[plurals[user]] ?? 0), 0);
    if (count <= 0) return [];
    const name = user.replaceAll("_", " ");
    return [`${count} ${name}${count === 1 ? "" : "s"}`];
  });
  if (users.length > 0) {
    const message = `cannot delete ${kind.replaceAll("_", " ")} '${id}': in use by ${users.join(", ")}`;
    throw new AppError("FailedPrecondition", message);
  }
  const unused = userKinds.map((user) =>
    any(lacks(plurals[user]), compare(plurals[user], "le", 0)),
  );
  return keys.map((update) => ({
    update,
    set: { closed: true },
    if: all(...unused),
  }));
}

/** Whether a transaction was refused because something that it would use is being deleted. */
export function refusedUse({ reasons }: TransactionRefused, writes: Write[]): boolean {
  return writes.some(
    (write, n) => "update" in write && write.if === open && reasons[n] !== undefined,
  );
}

const isUsed = (kind: Kind): kind is Used => (usedKinds as readonly Kind[]).includes(kind);
